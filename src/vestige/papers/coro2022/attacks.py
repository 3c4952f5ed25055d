"""The inversion attack of Corò 2022, Section 4.3, on the sentences or paragraphs of one domain."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Literal

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
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words

Recipe = Literal["coro", "default"]
RECIPES: dict[str, Recipe] = {PAPER: "coro", OURS: "default"}
SCORE_COLUMNS = ("precision", "recall", "F1")

TaskLines = Callable[["InversionTask", str, Victim], Iterator[Line]]
"""Attack an encoder in a task, for the row of a model."""


@dataclass(frozen=True)
class InversionTask:
    """One section of a table: the training texts, the test texts, and the words that count."""

    run: PaperRun[CoroSizes]
    training: DomainSide
    test: DomainSide
    counted: frozenset[str]

    def fit(self, target: Victim, recipe: Recipe, pairs: Corpus, first: int | None = None) -> MultiSetInverter:
        """The inverter, trained on pairs, or on the first few of them."""
        sizes = self.run.sizes
        epochs = sizes.epochs if recipe == "coro" else None
        attack = MultiSetInverter(recipe=recipe, vocabulary_size=sizes.vocabulary, epochs=epochs)
        return attack.fit(
            target.vectors(pairs)[:first],
            pairs.texts[:first],
            rng=stream(self.run.seed, "attack"),
            documents=pairs.documents[:first],
            progress=self.run.progress,
        )

    def infer(
        self, fitted: MultiSetInverter, target: Victim, corpus: Corpus, alike: Corpus | None = None
    ) -> list[Words]:
        """The guesses for the texts of a corpus, restricted to the words that count.

        The thesis' recipe takes as many steps as the training texts of the same kind, `alike`, have words on average.
        """
        steps = mean_words(alike, fitted.vocabulary_) if alike is not None and fitted.recipe == "coro" else None
        return [words & self.counted for words in fitted.infer(target.vectors(corpus), steps=steps).sets]

    def prior(self, pairs: Corpus, texts: int, first: int | None = None) -> list[Words]:
        """The best fixed set of the words that count, repeated for each text."""
        known = [content_words(text) & self.counted for text in pairs.texts[:first]]
        return [FixedWords().fit_sets(known).words_] * texts

    def truth(self, corpus: Corpus) -> TargetWords:
        """The words that count in each text."""
        words = [content_words(text) for text in corpus.texts]
        return TargetWords(words, corpus.documents, self.run.seed).among(self.counted)


def mean_words(corpus: Corpus, vocabulary: Vocabulary) -> int:
    """L of Section 4.3.3: the mean number of words of the vocabulary in a text."""
    known = frozenset(vocabulary.words)
    return max(1, round(fmean(len(content_words(text) & known) for text in corpus.texts)))


def make_task(run: PaperRun[CoroSizes], sides: DomainSplit, section: str) -> InversionTask:
    """In the domain the words of its vocabulary count; across domains those of both vocabularies (Section 5.2.1)."""

    def known(side: DomainSide) -> frozenset[str]:
        words = Vocabulary.build(map(content_words, side.sentences.texts), run.sizes.vocabulary).words
        return frozenset(words)

    training = sides.training(section)
    return InversionTask(run, training, sides.test, known(sides.in_domain) & known(training))


def plan_inversion(
    run: PaperRun[CoroSizes], printed: Sections, split: DomainSplit, targets: Victims, lines: TaskLines
) -> list[PlannedRow]:
    """One section per training domain, one row per representation; a star marks another training of the same one."""
    rows = []
    for section, models in printed.items():
        task = make_task(run, split, section)
        for model, figures in models.items():
            place, target = Place(section, model, figures), targets[model.rstrip("*")]
            rows.append(plan_row(place, target, split, partial(lines, task, model)))
    return rows
