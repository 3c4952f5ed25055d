"""The inversion attacks of Song and Raghunathan 2020, Section 3: settings, training data, and target words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from vestige.attacks.attack import ATTACKS
from vestige.attacks.multiset.recipes import RECIPES
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
from vestige.papers.timed_attack import TimedAttack, build_line, select_device
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus
from vestige.text.words import content_words, words
from vestige.types import Score

Settings = dict[str, Any]

RELEASED = "the authors' code"
"""Multi-set prediction as the released code trains it, where it differs from the paper."""
BOTH, SAME_ONLY = ("same", "cross"), ("same",)
NO_LIMIT = 10**9
NOTHING: tuple[None, None, None] = (None, None, None)


@dataclass(frozen=True)
class InversionAttack:
    """One section of a table: an attack of the catalogue, its settings by recipe, and the domains it learns from.

    In the white box it holds the encoder's weights, and its target is the encoder's own words. `lengths` names the
    parameter by which the paper's recipe is given the number of words of each target, and `lengths_for_all` whether our
    default is given it as well. An attack on a `few` targets is expensive. One that is `unpaired` learns nothing from
    pairs by the paper's recipe.
    """

    name: str
    settings: Callable[[str, SongSizes], Settings]
    recipes: Mapping[str, str]
    domains: tuple[str, ...] = BOTH
    white_box: bool = False
    lengths: str = ""
    lengths_for_all: bool = False
    few: bool = False
    unpaired: bool = False

    def words(self, target: Victim, counted: str = "all") -> Callable[[str], Words]:
        """The function that gives the words of a text that count."""
        if self.white_box:
            return target.pieces
        return content_words if counted == "content" else all_words

    def targets(self, texts: InversionTexts) -> Corpus:
        """The texts under attack, which are in random order."""
        return texts.few_targets if self.few else texts.targets

    def fit(self, run: PaperRun[SongSizes], recipe: str, target: Victim, pairs: Corpus) -> TimedAttack:
        """Learn from pairs, if the attack learns at all."""
        kind = ATTACKS[self.name].load()
        attack = kind(recipe=recipe, **self.settings(recipe, run.sizes), **select_device(kind, run.device))
        known: Settings = {"box": target.box} if self.white_box else {}
        if not self._is_unpaired(recipe, run.sizes):
            known |= {"vectors": target.vectors(pairs), "texts": pairs.texts, "documents": pairs.documents}
        return TimedAttack(
            lambda: attack.fit(**known, rng=stream(run.seed, "attack"), progress=run.progress),
            closed_form=recipe == "default",
        )

    def _is_unpaired(self, recipe: str, sizes: SongSizes) -> bool:
        return self.unpaired and recipe == self.recipes[PAPER] and sizes.searched is None and not sizes.tuned

    def infer(self, run: PaperRun[SongSizes], fitted: TimedAttack, target: Victim, attacked: Corpus) -> list[Words]:
        """The words behind the vectors under attack; the row of words that the encoder does not know names none."""
        lengths = self._lengths(fitted.fitted.recipe, run.sizes, target, attacked)
        return [found - {UNKNOWN} for found in fitted.infer(target.vectors(attacked), **lengths).sets]

    def _lengths(self, recipe: str, sizes: SongSizes, target: Victim, attacked: Corpus) -> dict[str, list[int]]:
        if not self.lengths or not (self.lengths_for_all or recipe != "default"):
            return {}
        if self.white_box:
            return {self.lengths: target.lengths(attacked.texts)}
        count = self.words(target, sizes.words)
        return {self.lengths: [max(1, len(count(text))) for text in attacked.texts]}


def all_words(text: str) -> Words:
    """The words of a text, stop words included, as in the paper."""
    return frozenset(words(text))


def attack_lines(
    run: PaperRun[SongSizes], attack: InversionAttack, texts: InversionTexts, target: Victim
) -> Iterator[Line]:
    """One line per recipe of the attack, then guessing; three scores per domain."""
    attacked, count = attack.targets(texts), attack.words(target, run.sizes.words)
    truth = TargetWords([count(text) for text in attacked.texts], attacked.documents, run.seed)

    def score(guess: Callable[[Corpus], list[Words]]) -> tuple[Score | None, ...]:
        scores: list[Score | None] = []
        for domain in BOTH:
            known = domain in attack.domains and domain in run.sizes.domains
            scores += score_averages(guess(texts.auxiliary[domain]), truth) if known else NOTHING
        return tuple(scores)

    def line(by: str, recipe: str) -> Line:
        attacks: list[TimedAttack] = []

        def guess(pairs: Corpus) -> list[Words]:
            attacks.append(attack.fit(run, recipe, target, pairs))
            return attack.infer(run, attacks[-1], target, attacked)

        return build_line(by, score(guess), attacks)

    def prior(pairs: Corpus) -> list[Words]:
        return [FixedWords().fit_sets([count(text) for text in pairs.texts]).words_] * len(attacked)

    for by, recipe in attack.recipes.items():
        if by != RELEASED or run.sizes.released:
            yield line(by, recipe)
    yield Line(PRIOR, score(prior))


def _relaxed_settings(recipe: str, sizes: SongSizes) -> Settings:
    if recipe == "paper":
        tuning = {"temperature": "tuned"} if sizes.tuned else {}
        return {"guess": "pieces", "steps": sizes.steps, "vocabulary_size": sizes.searched, **tuning}
    return _piece_settings(recipe, sizes)


def _piece_settings(recipe: str, sizes: SongSizes) -> Settings:
    limit = {"steps": sizes.steps} if recipe == "paper" else {}
    return {"guess": "pieces", "vocabulary_size": sizes.vocabulary, **limit}


def _trained_settings(recipe: str, sizes: SongSizes) -> Settings:
    epochs = {"epochs": sizes.epochs} if recipe != "default" else {}
    return {"vocabulary_size": sizes.vocabulary or NO_LIMIT, "words": sizes.words, **epochs}


def _recurrent_settings(recipe: str, sizes: SongSizes) -> Settings:
    settings = _trained_settings(recipe, sizes)
    if recipe == "default" or sizes.patience is None:
        return settings
    return settings | {"training": replace(RECIPES[recipe], patience=sizes.patience)}


_PLAIN = {PAPER: "paper", OURS: "default"}

WHITE_BOX = {
    "Equation 5": InversionAttack(
        "relaxed",
        _relaxed_settings,
        _PLAIN,
        SAME_ONLY,
        white_box=True,
        lengths="lengths",
        lengths_for_all=True,
        few=True,
        unpaired=True,
    ),
    "Equation 7": InversionAttack("sparse", _piece_settings, _PLAIN, white_box=True),
}
LOWER_LAYER = 1
EQUATION_6 = InversionAttack(
    "relaxed",
    lambda recipe, sizes: _relaxed_settings(recipe, sizes) | {"layer": LOWER_LAYER},
    _PLAIN,
    SAME_ONLY,
    white_box=True,
    lengths="lengths",
    lengths_for_all=True,
    few=True,
)
"""A learned map to a lower layer, then relaxation there; it needs vectors from above that layer."""

BLACK_BOX = {
    "Multi-label classification": InversionAttack("multilabel", _trained_settings, _PLAIN),
    "Multi-set prediction": InversionAttack(
        "multiset",
        _recurrent_settings,
        {PAPER: "song", RELEASED: "song-released", OURS: "default"},
        lengths="steps",
    ),
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
