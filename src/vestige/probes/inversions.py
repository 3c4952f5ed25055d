"""The attacks on words that an adversary can run: by what it holds, and by the recipe that an audit asks for."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from vestige.attacks.attack import ATTACKS, AttackInfo, find_recipe, list_recipes
from vestige.case.case import Auxiliary, Knowledge, Missing
from vestige.case.randomness import stream
from vestige.case.settings import ANY_PROBE, Settings
from vestige.encoders.white_box import find_white_box
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Encoder, Guesser, Progress, TrainingLog, Vectors, WhiteBox, WordGuesses

CONTENT_WORDS = {"words": "content", "guess": "words"}
"""The settings under which a published attack infers what an audit scores: content words, not all words or pieces."""

SingleWords = tuple[tuple[str, ...], Vectors]
"""Words, and the vector that the encoder gives to each by itself."""


@dataclass(frozen=True)
class Holdings:
    """What an adversary holds besides pairs, by the name of the parameter of `fit` that takes it."""

    box: WhiteBox | None = None
    single_words: SingleWords | None = None
    encoder: Encoder | None = None

    def select(self, parameters: Sequence[str]) -> dict[str, Any]:
        """The holdings that `fit` has a parameter for."""
        held = {"box": self.box, "single_words": self.single_words, "encoder": self.encoder}
        return {name: value for name, value in held.items() if name in parameters and value is not None}


@dataclass(frozen=True)
class Inversion:
    """An attack on words that this adversary can run; `recipe` is its name if it is that of a paper."""

    kind: type[Any]
    seed: int
    settings: dict[str, Any]
    holdings: Holdings = field(default_factory=Holdings)
    recipe: str = ""

    @property
    def info(self) -> AttackInfo:
        """What the attack declares about itself."""
        info: AttackInfo = self.kind.info
        return info

    @property
    def description(self) -> str:
        """The attack and its publication, for a report."""
        described = (self.info.description or self.info.summary).format(recipe=self.settings.get("recipe", "default"))
        return f"{described}; recipe {self.recipe}, on content words" if self.recipe else described

    @property
    def held(self) -> dict[str, Any]:
        """What `fit` receives besides pairs."""
        return self.holdings.select(list(inspect.signature(self.kind.fit).parameters))

    @property
    def access(self) -> str:
        """What the adversary does besides learning from pairs, in a few words."""
        if "weights" in self.info.access:
            return " and holds the encoder's weights"
        return " and may query the encoder" if self.held else ""

    @property
    def requirement(self) -> str:
        """What the attack takes besides pairs, in a sentence of the report."""
        if "weights" in self.info.access:
            return "the weights of the encoder, of which its word vectors are used"
        words = self.held.get("single_words")
        if words is not None:
            return f"the encoder's vector of each of {len(words[0]):,} single words; no weights and no gradient"
        return "no weights of the encoder and no gradient"

    def fit(self, pairs: Auxiliary, progress: Progress) -> Guesser:
        """A fresh attack, fitted on pairs and on what else its `fit` has a parameter for."""
        offered = {
            "rng": stream(self.seed, "attack"),
            "documents": pairs.documents,
            "further_texts": pairs.further,
            "progress": progress,
        }
        parameters = inspect.signature(self.kind.fit).parameters
        takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
        taken = {name: value for name, value in offered.items() if takes_all or name in parameters}
        fitted: Guesser = self.kind(**self.settings).fit(pairs.vectors, pairs.texts, **taken, **self.held)
        return fitted


def list_word_recipes() -> tuple[str, ...]:
    """The published attacks on words that learn from pairs or weights."""
    return tuple(
        name
        for name, (kind, _) in list_recipes().items()
        if kind.info.output is WordGuesses and "vectors" not in kind.info.access
    )


def find_unheld(knowledge: Knowledge, settings: Settings) -> Missing | None:
    """Why the adversary cannot run the published attack that the settings name; None if it can."""
    if settings.recipe in ANY_PROBE or list_inversions(knowledge, settings, None):
        return None
    return Missing(
        f"the recipe '{settings.recipe}' needs the weights of the encoder, and the attacker does not have them",
        "name an encoder with public weights, with --encoder and --access weights",
    )


def warn_unconverged(fitted: object, guesses: object = None) -> tuple[str, ...]:
    """A warning if the training or the descent of an attack was cut off: its figures say nothing about the recipe."""
    found: list[TrainingLog | None] = [getattr(fitted, "log_", None), getattr(guesses, "log", None)]
    logs = [log for log in found if log is not None and not log.converged]
    return tuple(
        f"The attack was cut off after {log.steps:,} steps, before it converged ({log.rule}). Its figures are a lower "
        "bound, and do not judge the recipe."
        for log in logs
    )


def list_with_queries(knowledge: Knowledge, settings: Settings, progress: Progress) -> tuple[list[Inversion], int]:
    """The attacks that the adversary can run, and the single words that it queries for them."""
    words = None
    if knowledge.encoder is not None and settings.recipe_kind == "default":
        words = query_single_words(knowledge.encoder, knowledge.auxiliary.all_texts, settings, 1, progress)
    return list_inversions(knowledge, settings, words), 0 if words is None else len(words[0])


def query_single_words(
    encoder: Encoder, texts: Sequence[str], settings: Settings, draws: int, progress: Progress
) -> SingleWords:
    """The words that the adversary looks for, and the encoder's vector of each: the mean of `draws` draws of noise."""
    words = Vocabulary.build(map(content_words, texts), settings.vocabulary_size).words
    vectors = encoder.encode([*words] * draws, progress=lambda _, total: progress("encoding single words", total))
    return words, vectors if draws == 1 else vectors.reshape(draws, len(words), -1).mean(axis=0)


def list_inversions(knowledge: Knowledge, settings: Settings, words: SingleWords | None) -> list[Inversion]:
    """Every audited attack on words that this adversary can run; those with a published recipe where it is wanted."""
    box = None
    if knowledge.encoder is not None and settings.access == "weights" and settings.recipe != "paper":
        box = find_white_box(knowledge.encoder)
    holdings = Holdings(box, words, knowledge.encoder)
    if settings.recipe not in ANY_PROBE:
        return _build_published(settings, holdings)
    return [
        Inversion(kind, settings.seed, choose_settings(kind, settings), holdings)
        for kind in list_audited()
        if settings.recipe in kind.info.recipes and is_held(kind.info, holdings)
    ]


def _build_published(settings: Settings, holdings: Holdings) -> list[Inversion]:
    """The attack of a paper, with its own settings, if the adversary holds what it requires."""
    kind, published = find_recipe(settings.recipe)
    parameters = inspect.signature(kind).parameters
    chosen = {**published, **{name: value for name, value in CONTENT_WORDS.items() if name in parameters}}
    held = is_held(kind.info, holdings)
    return [Inversion(kind, settings.seed, chosen, holdings, settings.recipe)] if held else []


def list_audited() -> list[type[Any]]:
    """The classes of all attacks on words that audits consider, in order of their names."""
    kinds = [entry.load() for _, entry in ATTACKS]
    return [kind for kind in kinds if kind.info.audited and kind.info.output is WordGuesses]


def is_held(info: AttackInfo, holdings: Holdings) -> bool:
    """Whether the adversary holds what the attack requires."""
    held = {"weights": holdings.box is not None, "queries": holdings.encoder is not None}
    return all(held.get(access, True) for access in info.access)


def choose_settings(kind: type[Any], settings: Settings) -> dict[str, Any]:
    """The settings of the run that the attack's constructor has a parameter for."""
    known = inspect.signature(kind).parameters
    wanted = {"vocabulary_size": settings.vocabulary_size, "recipe": settings.recipe}
    return {name: value for name, value in wanted.items() if name in known}
