"""A thief without pairs: the stolen store, the public encoder and similar text, but no vector of a known text."""

from functools import cached_property

import numpy as np

from vestige.attacks.alignment.schemes import align_any
from vestige.case.case import Auxiliary, Case, Knowledge
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.defend.fitting import draw_own_half
from vestige.defenses.asymmetric import AsymmetricEncryption
from vestige.probes.inversion_choice import fit_for_sweep
from vestige.probes.probe import Effort, Fitted, ProbeScore, Setup
from vestige.probes.words import WordsSetup
from vestige.types import Guesser, Progress, Vectors, WordGuesses, silent

NAME = "words-thief"


class ThiefSetup(Setup):
    """The words of every target, to a thief who has to align the stolen vectors with those of its own text.

    Of the owner's other documents, one half stands for public text: the thief has their texts and, from the encoder,
    their raw vectors. The other half is stolen along with the targets: the thief has their defended vectors alone.
    """

    name = NAME
    measure = "Words recovered (F1) without pairs"
    attack = (
        "alignment of the stolen vectors with raw vectors of other texts of the same kind, without any pair, by the "
        "scheme that the stolen vectors show: one key, a key per cluster, or encryption with noise; then the attack on "
        "words, fitted on those texts"
    )
    fits_on_targets = True

    def __init__(self, case: Case, settings: Settings, effort: Effort) -> None:
        self.settings, self.effort = settings, effort
        self._words = WordsSetup(NAME, case, "same-domain", settings, effort)
        pairs = case.auxiliary["same-domain"]
        self._own = draw_own_half(pairs, settings.seed)
        public = set(self._own.documents)
        self._stolen = [row for row, name in enumerate(pairs.documents) if name not in public]

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """Align; of the pairs, only the vectors of the stolen half are used, in one draw."""
        stolen = np.concatenate([knowledge.targets, knowledge.auxiliary.vectors[self._stolen]])
        found = align_any(stolen, self._own.vectors, encrypt=_encrypt, rng=stream(self.settings.seed, "thief"))
        inner = self._inner
        return lambda vectors: inner.infer(found(vectors))

    def score(self, guesses: WordGuesses) -> ProbeScore:
        """F1, text by text."""
        return self._words.score(guesses)

    @cached_property
    def _inner(self) -> Guesser:
        """The attack on words, fitted on raw vectors of the thief's own texts."""
        own: Auxiliary = self._own
        held = Knowledge(own.vectors, own, None)
        return fit_for_sweep(held, self.settings, self.effort, 1, silent)


def _encrypt(vectors: Vectors, noise: int) -> Vectors:
    """The thief's own vectors under a key of its own: the scheme is public, the key is not."""
    own = AsymmetricEncryption(noise=noise).fit(vectors, rng=np.random.default_rng(0))
    return own.transform(vectors)
