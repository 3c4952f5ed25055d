"""Keyword guesses as a function of one size at a time (Pan et al. 2020, Section VI-D.4).

Smaller samples are part of larger ones, and every attack starts from the same seed.
"""

from collections.abc import Iterator, Sequence
from copy import copy

import numpy as np

from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.inference import KeywordInference
from vestige.types import Encoder, Flags, Integers, KeywordGuesses, Vectors

BySize = Iterator[tuple[int, KeywordGuesses]]


def infer_by_shadow_size(
    attack: KeywordInference,
    vectors: Vectors,
    texts: Sequence[str],
    targets: Vectors,
    *,
    sizes: Sequence[int],
    keywords: Sequence[str],
    rng: np.random.Generator,
    encoder: Encoder | None = None,
) -> BySize:
    """The guesses for the targets when the attack has so many of the pairs."""
    order, seed = rng.permutation(len(texts)), int(rng.integers(2**31))
    for size in sizes:
        rows = order[:size]
        sample = [texts[row] for row in rows.tolist()]
        fresh = np.random.default_rng(seed)
        fitted = copy(attack).fit(vectors[rows], sample, keywords=keywords, rng=fresh, encoder=encoder)
        yield size, fitted.infer(targets)


class CrossDomainSizes:
    """The sizes of the cross-domain attack: its labelled vectors, its victims, and the shared space."""

    def __init__(
        self,
        attack: DomainAdversarialKeyword,
        vectors: Vectors,
        labels: Flags,
        victims: Vectors,
        *,
        keywords: Sequence[str],
        rng: np.random.Generator,
    ) -> None:
        self.attack = attack
        self.vectors = vectors
        self.labels = labels
        self.victims = victims
        self.keywords = keywords
        self.examples, self.order = rng.permutation(len(vectors)), rng.permutation(len(victims))
        self.seed = int(rng.integers(2**31))

    def by_examples(self, sizes: Sequence[int]) -> BySize:
        """With so many of the labelled vectors."""
        return ((size, self._guesses(self.attack, self.examples[:size], self.order)) for size in sizes)

    def by_victims(self, sizes: Sequence[int]) -> BySize:
        """Adapted to so many of the victims; the guesses are for all."""
        return ((size, self._guesses(self.attack, self.examples, self.order[:size])) for size in sizes)

    def by_shared(self, sizes: Sequence[int]) -> BySize:
        """With a shared space of so many dimensions."""
        for size in sizes:
            attack = copy(self.attack)
            attack.shared = size
            yield size, self._guesses(attack, self.examples, self.order)

    def _guesses(self, attack: DomainAdversarialKeyword, rows: Integers, victims: Integers) -> KeywordGuesses:
        fitted = copy(attack).fit(
            self.vectors[rows],
            self.labels[rows],
            keywords=self.keywords,
            victims=self.victims[victims],
            rng=np.random.default_rng(self.seed),
        )
        return fitted.infer(self.victims)
