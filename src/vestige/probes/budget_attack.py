"""The adversary of the probe `budget`: what it holds, and the words it guesses after so many queries."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vestige.attacks.attack import find_recipe
from vestige.attacks.baselines.mean_importance import MeanImportance
from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.case.case import Auxiliary
from vestige.case.checkpoints import NO_CHECKPOINTS, Checkpoints
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.load import ENCODERS, is_learned, load_encoder, load_learned
from vestige.encoders.lookup import LookupEncoder
from vestige.encoders.memoized import Memoized
from vestige.encoders.metered import Metered
from vestige.encoders.wrapper import unwrap
from vestige.engine.threads import one_core_each, run_parallel
from vestige.text.corpus import Corpus
from vestige.text.importance import (
    EmptyVocabulary,
    ImportantWords,
    KeyBertImportance,
    TfidfImportance,
    Weigher,
    YakeImportance,
    content_forms,
)
from vestige.text.split import sample_rows
from vestige.types import Encoder, Progress, Vectors, WordGuesses

STATIC = "static:potion-base-8M"
PACKAGED = ("wordllama", "glove-6b")
LEARNED = "lsa:tfidf:256"

SAME = 1e-3
"""Vectors whose relative difference is smaller come from the same encoder."""


def list_surrogates() -> tuple[str, ...]:
    """The fast encoders that are installed, the most useful first: a static model in VESTIGE_MODELS, then packages."""
    installed = ENCODERS["static"].installed and _folder().joinpath("config.json").is_file()
    return (*([STATIC] if installed else []), *(name for name in PACKAGED if ENCODERS[name].installed))


def choose_surrogate(names: Sequence[str], texts: Sequence[str], vectors: Vectors) -> Encoder:
    """The first of the `names` that is not the encoder under attack.

    If there is none, latent semantic analysis of the texts, which every adversary can do.
    """
    return next(
        (encoder for encoder in _load_surrogates(names) if not _is_encoder_of(encoder, texts[:8], vectors[:8])),
        load_learned(LEARNED, Corpus("the attacker's texts", list(texts))),
    )


def load_surrogate(spec: str, texts: Sequence[str]) -> Encoder:
    """The encoder that the owner names for the adversary; one that is trained here learns from its texts."""
    return load_learned(spec, Corpus("the attacker's texts", list(texts))) if is_learned(spec) else load_encoder(spec)


def _load_surrogates(names: Sequence[str]) -> Iterator[Encoder]:
    return (load_encoder(f"static:{_folder()}" if name == STATIC else name) for name in names)


def _folder() -> Path:
    return Path(os.environ.get("VESTIGE_MODELS", ""), STATIC.partition(":")[2])


def _is_encoder_of(encoder: Encoder, texts: Sequence[str], vectors: Vectors) -> bool:
    """Whether the encoder gives exactly these vectors."""
    if encoder.dimension != vectors.shape[1]:
        return False
    return float(np.linalg.norm(encoder.encode(texts) - vectors)) < SAME * float(np.linalg.norm(vectors))


BUDGETS = (0, 10, 50, 200, 1000)
POOL, EXTERNAL = 1000, 2000
"""Texts of the same kind that may be queried, and cross-domain texts that the published recipe learns from, at most."""


SADE, FINE_TUNED = "chen", "chen-fine-tuned"
"""The published attack with a layer behind the surrogate, and with the surrogate's own weights fine-tuned."""


def choose_recipe(settings: Settings) -> Mapping[str, Any]:
    """The settings of the attack that these settings ask for."""
    if settings.recipe_kind == "default":
        return {"recipe": "vestige"}
    return find_recipe(FINE_TUNED if settings.recipe == FINE_TUNED else SADE)[1]


def select_budgets(settings: Settings, pool: int) -> list[int]:
    """The budgets of the settings, or the usual ones, that a pool of so many texts allows; else the whole pool."""
    return [budget for budget in settings.budgets or BUDGETS if budget <= pool] or [pool]


def choose_words(texts: Sequence[str], vocabulary: Sequence[str]) -> ImportantWords | None:
    """The words to rank: those of the vocabulary that some text contains, or all that the texts share."""
    if not vocabulary:
        try:
            return ImportantWords.build(texts, any_kind=True)
        except EmptyVocabulary:
            return None
    wanted = dict.fromkeys(form for entry in vocabulary for form in content_forms(entry))
    present = {form for text in texts for form in content_forms(text)}
    known = tuple(form for form in wanted if form in present)
    return ImportantWords(known, tagged=False) if known else None


def build_weigher(name: str, words: ImportantWords, texts: Sequence[str], own: Encoder) -> Weigher:
    """The measure of importance; KeyBERT queries the adversary's own encoder."""
    if name == "keybert":
        return KeyBertImportance(words, own)
    return YakeImportance(words) if name == "yake" else TfidfImportance(words, texts)


class BudgetGuesses(NamedTuple):
    """The guesses with the queried vectors, without them, and with the vectors of other texts."""

    attack: WordGuesses
    prior: WordGuesses
    control: WordGuesses

    def take(self, rows: Sequence[int]) -> "BudgetGuesses":
        """The guesses for these targets."""
        return BudgetGuesses(*(take_guesses(each, rows) for each in self))


@dataclass(frozen=True)
class BudgetAdversary:
    """An adversary with texts of the same kind and an encoder of its own.

    It queries texts of the `pool`, whose vectors are those of the case: nothing is queried twice or sent again. If the
    encoder cannot be queried, the adversary holds as many known pairs. The published recipe also learns from `external`
    texts, which it encodes itself.
    """

    pool: Auxiliary
    own: Encoder
    weigher: Weigher
    external: tuple[str, ...] = ()

    @classmethod
    def build(
        cls, pairs: Auxiliary, surrogates: Sequence[str], settings: Settings, external: Sequence[str] = ()
    ) -> "BudgetAdversary | None":
        """From the pairs of the case, without duplicates; None if these share no word, or none of the vocabulary."""
        pool = cls.draw_pool(pairs, settings)
        words = choose_words(pool.texts, settings.vocabulary)
        if words is None:
            return None
        if settings.surrogate is None:
            own: Encoder = Memoized(choose_surrogate(surrogates, pool.texts, pool.vectors))
        else:
            own = Memoized(load_surrogate(settings.surrogate, pool.texts))
        held = [external[row] for row in words.long_enough(external, 1)][:EXTERNAL]
        return cls(pool, own, build_weigher(settings.importance, words, pool.texts, own), tuple(held))

    @property
    def is_trainable(self) -> bool:
        """Whether the weights of its own encoder can be fine-tuned."""
        return hasattr(unwrap(self.own), "copy_trainable")

    @staticmethod
    def draw_pool(pairs: Auxiliary, settings: Settings) -> Auxiliary:
        """The texts that may be queried, with their vectors, without duplicates."""
        distinct = list({text: row for row, text in reversed(list(enumerate(pairs.texts)))}.values())
        return pairs.take(sample_rows(distinct, POOL, stream(settings.seed, "budget")))

    def guess_by_budget(
        self, targets: Vectors, settings: Settings, progress: Progress, checkpoints: Checkpoints = NO_CHECKPOINTS
    ) -> dict[int, BudgetGuesses]:
        """The guesses for each budget that the pool allows."""
        prior = MeanImportance().fit(self.weigher.weigh(self.pool.texts)).infer(targets)
        shuffled = stream(settings.seed, "control").permutation(self.pool.vectors)
        budgets = select_budgets(settings, len(self.pool.texts))
        self.own.encode([*self.pool.texts, *self.weigher.words], progress=progress)
        runs = [(budget, kind) for budget in budgets for kind in ("attack", "control")]

        def guess(run: tuple[int, str]) -> WordGuesses:
            budget, kind = run
            answers = self.pool.vectors if kind == "attack" else shuffled
            return checkpoints.run(f"{budget}-{kind}", lambda: self.guess(targets, answers, budget, settings))

        found = run_parallel(guess, runs, progress("attacking with growing budgets", len(runs)))
        pairs = zip(budgets, found[::2], found[1::2], strict=True)
        return {budget: BudgetGuesses(attack, prior, control) for budget, attack, control in pairs}

    def guess(self, targets: Vectors, answers: Vectors, budget: int, settings: Settings) -> WordGuesses:
        """The words guessed for each target, on one core: matrices this small lose more than they gain by a second."""
        with one_core_each():
            attack = SurrogateAttack(budget=budget, **choose_recipe(settings)).fit(
                targets,
                self.pool.texts,
                encoder=Metered(LookupEncoder(self.pool.texts, answers), budget),
                surrogate=unwrap(self.own) if settings.recipe == FINE_TUNED else self.own,
                weigher=self.weigher,
                rng=stream(settings.seed, "attack"),
                external=self.external if settings.recipe_kind == "paper" else (),
            )
            return replace(attack.infer(targets), log=attack.log_)


def take_guesses(guesses: WordGuesses, rows: Sequence[int]) -> WordGuesses:
    """The guesses for these targets."""
    return WordGuesses([guesses.sets[row] for row in rows], [guesses.ranked[row] for row in rows], guesses.log)
