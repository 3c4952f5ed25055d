"""The inversion attack of Corò 2022, Section 4.3, on the sentences or paragraphs of one domain."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any, Literal

from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.priors import FixedWords
from vestige.case.randomness import stream
from vestige.papers.coro2022.setup import CoroSizes
from vestige.papers.coro2022.texts import DomainSide, DomainSplit
from vestige.papers.published import Sections
from vestige.papers.record import OURS, PAPER, Line
from vestige.papers.rows import Place, PlannedRow, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.scores import TargetWords, Words
from vestige.papers.timed_attack import TimedAttack
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus
from vestige.text.languages import ENGLISH, content_words_of
from vestige.text.vocabulary import Vocabulary

Recipe = Literal["coro", "coro-listed", "default"]
LISTED = "the paper's listing"
RECIPES: dict[str, Recipe] = {PAPER: "coro", OURS: "default"}
ALL_RECIPES: dict[str, Recipe] = {PAPER: "coro", LISTED: "coro-listed", OURS: "default"}
"""With Algorithm 1 as it is listed, which takes a predicted word out of the targets before the loss, not after it."""

SCORE_COLUMNS = ("precision", "recall", "F1")

TaskLines = Callable[["InversionTask", str, Victim], Iterator[Line]]
"""Attack an encoder in a task, for the row of a model."""

MakeTask = Callable[[PaperRun[CoroSizes], DomainSplit, str], "InversionTask"]
"""The task of a section."""


@dataclass(frozen=True)
class InversionTask:
    """One section of a table: the training texts, the test texts, and the words that count."""

    run: PaperRun[CoroSizes]
    training: DomainSide
    test: DomainSide
    counted: frozenset[str]

    def fit(
        self, target: Victim, recipe: Recipe, pairs: Corpus, *, first: int | None = None, **settings: Any
    ) -> TimedAttack:
        """The inverter, trained on pairs, or on the first few of them."""
        return fit_inverter(self.run, target.table(pairs)[:first], pairs, recipe, first=first, **settings)

    def infer(self, fitted: TimedAttack, target: Victim, corpus: Corpus, alike: Corpus | None = None) -> list[Words]:
        """The guesses for the texts of a corpus, restricted to the words that count.

        The thesis' recipe takes as many steps as the training texts of the same kind, `alike`, have words on average.
        """
        vectors, options = target.table(corpus), {}
        if alike is not None and fitted.fitted.recipe != "default":
            options = {"steps": mean_words(alike, fitted.fitted.vocabulary_, self.run.sizes.language)}
        return [words & self.counted for words in fitted.infer(vectors, **options).sets]

    def prior(self, pairs: Corpus, texts: int, first: int | None = None) -> list[Words]:
        """The best fixed set of the words that count, repeated for each text."""
        language = self.run.sizes.language
        known = [content_words_of(text, language) & self.counted for text in pairs.texts[:first]]
        return [FixedWords().fit_sets(known).words_] * texts

    def truth(self, corpus: Corpus) -> TargetWords:
        """The words that count in each text."""
        words = [content_words_of(text, self.run.sizes.language) for text in corpus.texts]
        return TargetWords(words, corpus.documents, self.run.seed).among(self.counted)


def fit_inverter(
    run: PaperRun[CoroSizes], vectors: Any, pairs: Corpus, recipe: Recipe, *, first: int | None = None, **settings: Any
) -> TimedAttack:
    """The inverter of the thesis or ours, trained on pairs.

    `settings` are those of the inverter, and `single_words`, which it takes with the pairs.
    """
    sizes = run.sizes
    known = {"single_words": settings.pop("single_words", None)}
    published = {} if recipe == "default" else {"epochs": sizes.epochs, "device": run.device}
    counted = "content" if sizes.language == ENGLISH else f"content:{sizes.language}"
    own = {"vocabulary_size": sizes.vocabulary, "words": counted}
    attack = MultiSetInverter(recipe=recipe, **{**own, **published, **settings})
    return TimedAttack(
        lambda: attack.fit(
            vectors,
            pairs.texts[:first],
            rng=stream(run.seed, "attack"),
            documents=pairs.documents[:first],
            progress=run.progress,
            **known,
        ),
        closed_form=recipe == "default",
    )


def mean_words(corpus: Corpus, vocabulary: Vocabulary, language: str = ENGLISH) -> int:
    """L of Section 4.3.3: the mean number of words of the vocabulary in a text."""
    known = frozenset(vocabulary.words)
    return max(1, round(fmean(len(content_words_of(text, language) & known) for text in corpus.texts)))


def make_task(
    run: PaperRun[CoroSizes], sides: DomainSplit, section: str, *, own_vocabulary: bool = False
) -> InversionTask:
    """In the domain the words of its vocabulary count; across domains those of both vocabularies (Section 5.2.1).

    With `own_vocabulary`, all words of the inverter's vocabulary count across domains as well (Appendix A.2).
    """

    def known(side: DomainSide) -> frozenset[str]:
        found = (content_words_of(text, run.sizes.language) for text in side.sentences.texts)
        return frozenset(Vocabulary.build(found, run.sizes.vocabulary).words)

    training = sides.training(section)
    counted = known(training) if own_vocabulary else known(sides.in_domain) & known(training)
    return InversionTask(run, training, sides.test, counted)


def plan_inversion(
    run: PaperRun[CoroSizes],
    printed: Sections,
    split: DomainSplit,
    targets: Victims,
    lines: TaskLines,
    make: MakeTask = make_task,
) -> list[PlannedRow]:
    """One section per training domain, one row per representation; a star marks another training of the same one."""
    rows = []
    for section, models in printed.items():
        task = make(run, split, section)
        for model, figures in models.items():
            place, target = Place(section, model, figures), targets[model.rstrip("*")]
            rows.append(plan_row(place, target, split, partial(lines, task, model)))
    return rows
