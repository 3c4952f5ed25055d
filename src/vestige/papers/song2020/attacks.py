"""The inversion attacks of Song and Raghunathan 2020, Section 3: settings, training data, and target words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from vestige.attacks.attack import ATTACKS
from vestige.attacks.priors import FixedWords
from vestige.case.randomness import stream
from vestige.encoders.dual.encoder import UNKNOWN
from vestige.papers.published import Sections
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.rows import PlannedRow, plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.scores import TargetWords, Words, score_averages
from vestige.papers.song2020.setup import SongSizes
from vestige.papers.song2020.texts import InversionTexts
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus
from vestige.text.words import content_words
from vestige.types import Score

Settings = dict[str, str | int]

BOTH, SAME_ONLY = ("same", "cross"), ("same",)
NOTHING: tuple[None, None, None] = (None, None, None)


@dataclass(frozen=True)
class InversionAttack:
    """One section of a table: an attack of the catalogue, its settings by recipe, and the domains it learns from.

    In the white box it holds the encoder's weights, and its target is the encoder's own words. An attack that
    `knows_length` is given the number of words of each target; it is expensive and attacks only a few.
    """

    name: str
    settings: Callable[[str, SongSizes], Settings]
    recipes: Mapping[str, str]
    domains: tuple[str, ...] = BOTH
    white_box: bool = False
    knows_length: bool = False

    def words(self, target: Victim) -> Callable[[str], Words]:
        """The function that gives the words of a text."""
        return target.pieces if self.white_box else content_words

    def targets(self, texts: InversionTexts, target: Victim) -> Corpus:
        """The texts under attack."""
        return texts.few_targets(target.lengths(texts.targets.texts)) if self.knows_length else texts.targets

    def infer_sets(
        self, run: PaperRun[SongSizes], recipe: str, target: Victim, pairs: Corpus, attacked: Corpus
    ) -> list[Words]:
        """Learn from pairs, then infer the words behind the vectors under attack."""
        weights = {"box": target.box} if self.white_box else {}
        attack = ATTACKS[self.name].load()(recipe=recipe, **self.settings(recipe, run.sizes))
        fitted = attack.fit(
            target.vectors(pairs),
            pairs.texts,
            rng=stream(run.seed, "attack"),
            documents=pairs.documents,
            progress=run.progress,
            **weights,
        )
        lengths = {"lengths": target.lengths(attacked.texts)} if self.knows_length else {}
        return [words - {UNKNOWN} for words in fitted.infer(target.vectors(attacked), **lengths).sets]


def attack_lines(
    run: PaperRun[SongSizes], attack: InversionAttack, texts: InversionTexts, target: Victim
) -> Iterator[Line]:
    """One line per recipe of the attack, then guessing; three scores per domain."""
    attacked, words = attack.targets(texts, target), attack.words(target)
    truth = TargetWords([words(text) for text in attacked.texts], attacked.documents, run.seed)

    def line(by: str, guess: Callable[[Corpus], list[Words]]) -> Line:
        scores: list[Score | None] = []
        for domain in BOTH:
            known = domain in attack.domains
            scores += score_averages(guess(texts.auxiliary[domain]), truth) if known else NOTHING
        return Line(by, tuple(scores))

    def prior(pairs: Corpus) -> list[Words]:
        return [FixedWords().fit_sets([words(text) for text in pairs.texts]).words_] * len(attacked)

    for by, recipe in attack.recipes.items():
        yield line(by, lambda pairs, recipe=recipe: attack.infer_sets(run, recipe, target, pairs, attacked))  # type: ignore[misc]
    yield line(PRIOR, prior)


def _relaxed_settings(recipe: str, sizes: SongSizes) -> Settings:
    return _piece_settings(recipe, sizes) | ({"steps": sizes.steps} if recipe == "paper" else {})


def _piece_settings(_recipe: str, sizes: SongSizes) -> Settings:
    return {"guess": "pieces", "vocabulary_size": sizes.vocabulary}


def _vocabulary_settings(_recipe: str, sizes: SongSizes) -> Settings:
    return {"vocabulary_size": sizes.vocabulary}


def _multiset_settings(recipe: str, sizes: SongSizes) -> Settings:
    return _vocabulary_settings(recipe, sizes) | ({"epochs": sizes.epochs} if recipe == "song" else {})


_PLAIN = {PAPER: "paper", OURS: "default"}

WHITE_BOX = {
    "Equation 5": InversionAttack("relaxed", _relaxed_settings, _PLAIN, SAME_ONLY, white_box=True, knows_length=True),
    "Equation 7": InversionAttack("sparse", _piece_settings, _PLAIN, white_box=True),
}
BLACK_BOX = {
    "Multi-label classification": InversionAttack("multilabel", _vocabulary_settings, _PLAIN),
    "Multi-set prediction": InversionAttack("multiset", _multiset_settings, {PAPER: "song", OURS: "default"}),
}

SCORE_COLUMNS = ("precision", "recall", "F1")
DOMAIN_COLUMNS = tuple(f"{name}, {domain} domain" for domain in ("same", "other") for name in SCORE_COLUMNS)


def plan_inversion(
    run: PaperRun[SongSizes],
    printed: Sections,
    attacks: Mapping[str, InversionAttack],
    texts: InversionTexts,
    targets: Victims,
) -> list[PlannedRow]:
    """One section per attack, one row per encoder."""
    return [
        row
        for section, attack in attacks.items()
        for row in plan_rows({section: printed[section]}, targets, texts, partial(attack_lines, run, attack, texts))
    ]
