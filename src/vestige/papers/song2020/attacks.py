"""The attacks of Song and Raghunathan: how they are built, from what they learn, what they are to find."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from vestige.attacks.catalogue import ATTACKS
from vestige.attacks.fixed_words import FixedWords
from vestige.case.randomness import stream
from vestige.encoders.dual.encoder import UNKNOWN
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.run import Run
from vestige.papers.scores import Truth, Words, of_averages
from vestige.papers.song2020.texts import Sizes, Texts
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.words import content_words
from vestige.types import Score

Settings = dict[str, str | int]

BOTH, SAME_ONLY = ("same", "cross"), ("same",)
NOTHING: tuple[None, None, None] = (None, None, None)


@dataclass(frozen=True)
class Attack:
    """One section of a table: an attack of the catalogue, its settings by recipe, the domains it learns from.

    In the white box it is given the encoder's inside and is to find the encoder's own words; `told_length` says that
    it knows how many words a target has, and that it is dear and attacks only the first few.
    """

    name: str
    settings: Callable[[str, Sizes], Settings]
    recipes: Mapping[str, str]
    domains: tuple[str, ...] = BOTH
    white_box: bool = False
    told_length: bool = False

    def words(self, target: Victim) -> Callable[[str], Words]:
        """What counts as the words of a text."""
        return target.pieces if self.white_box else content_words

    def targets(self, texts: Texts, target: Victim) -> Corpus:
        """The texts under attack."""
        return texts.few_targets(target.lengths(texts.targets.texts)) if self.told_length else texts.targets

    def sets(self, run: Run[Sizes], recipe: str, target: Victim, pairs: Corpus, attacked: Corpus) -> list[Words]:
        """Learn from pairs, then read the words out of the vectors under attack."""
        given = {"box": target.box} if self.white_box else {}
        attack = ATTACKS[self.name].load()(recipe=recipe, **self.settings(recipe, run.sizes))
        fitted = attack.fit(
            target.vectors(pairs),
            pairs.texts,
            rng=stream(run.seed, "attack"),
            documents=pairs.documents,
            progress=run.progress,
            **given,
        )
        told = {"lengths": target.lengths(attacked.texts)} if self.told_length else {}
        return [words - {UNKNOWN} for words in fitted.infer(target.vectors(attacked), **told).sets]


def lines(run: Run[Sizes], attack: Attack, texts: Texts, target: Victim) -> Iterator[Line]:
    """The attack by each recipe, then guessing: one line each, three figures a domain."""
    attacked, words = attack.targets(texts, target), attack.words(target)
    truth = Truth([words(text) for text in attacked.texts], attacked.documents, run.seed)

    def line(by: str, guess: Callable[[Corpus], list[Words]]) -> Line:
        scores: list[Score | None] = []
        for domain in BOTH:
            known = domain in attack.domains
            scores += of_averages(guess(texts.auxiliary[domain]), truth) if known else NOTHING
        return Line(by, tuple(scores))

    def prior(pairs: Corpus) -> list[Words]:
        return [FixedWords().fit_sets([words(text) for text in pairs.texts]).words_] * len(attacked)

    for by, recipe in attack.recipes.items():
        yield line(by, lambda pairs, recipe=recipe: attack.sets(run, recipe, target, pairs, attacked))  # type: ignore[misc]
    yield line(PRIOR, prior)


def _descended(recipe: str, sizes: Sizes) -> Settings:
    return _pieces(recipe, sizes) | ({"steps": sizes.steps} if recipe == "paper" else {})


def _pieces(_recipe: str, sizes: Sizes) -> Settings:
    return {"guess": "pieces", "vocabulary_size": sizes.vocabulary}


def _vocabulary(_recipe: str, sizes: Sizes) -> Settings:
    return {"vocabulary_size": sizes.vocabulary}


def _fewer_epochs(recipe: str, sizes: Sizes) -> Settings:
    return _vocabulary(recipe, sizes) | ({"epochs": sizes.epochs} if recipe == "song" else {})


_PLAIN = {PAPER: "paper", OURS: "default"}

WHITE_BOX = {
    "Equation 5": Attack("relaxed", _descended, _PLAIN, SAME_ONLY, white_box=True, told_length=True),
    "Equation 7": Attack("sparse", _pieces, _PLAIN, white_box=True),
}
BLACK_BOX = {
    "Multi-label classification": Attack("multilabel", _vocabulary, _PLAIN),
    "Multi-set prediction": Attack("multiset", _fewer_epochs, {PAPER: "song", OURS: "default"}),
}
