"""Keywords by a kernel, for vectors from which a defense has removed every direction that a linear head needs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.kernel_ridge import KernelMap
from vestige.attacks.keywords.examples import Examples
from vestige.attacks.keywords.linear_heads import LinearHeads, fit_heads
from vestige.types import Flags, Floats, Integers, Vectors

GAMMA = 2.0

MOST_COMPARED, MOST_FITTED = 3000, 6000
"""Examples that both kinds of heads are compared with, and that a kernel is fitted on: its time grows with the cube."""

HELD_OUT = 0.25
_TINY = 1e-6


@dataclass(frozen=True)
class KernelHeads:
    """The share of texts around a vector that contain each keyword, as if half of all texts contained it."""

    excess: KernelMap
    shares: Floats

    @classmethod
    def fit(cls, examples: Examples, most: int = MOST_FITTED) -> "KernelHeads":
        """Fit to at most `most` examples, evenly spaced."""
        some = examples.sample(most)
        shares = some.labels.mean(axis=0)
        return cls(KernelMap.fit(some.vectors, some.labels - shares, GAMMA), shares)

    def probabilities(self, vectors: Vectors) -> Floats:
        """One row per vector, one column per keyword."""
        around = np.clip(self.excess(vectors) + self.shares, _TINY, 1 - _TINY)
        odds: Floats = around / (1 - around) * (1 - self.shares) / np.maximum(self.shares, _TINY)
        return odds / (1 + odds)


def choose_heads(examples: Examples, documents: Sequence[str], rng: np.random.Generator) -> LinearHeads | KernelHeads:
    """Linear heads, or a kernel if that is more accurate on held-out documents.

    `documents` are those of the first examples; further ones, with inserted keywords, are always learned from. A kernel
    takes every row as an example for every keyword, so that rows that are not need linear heads.
    """
    if not examples.counted.all():
        return fit_heads(examples)
    held = hold_out(documents, rng)
    some = examples.take(np.setdiff1d(np.arange(len(examples.vectors)), held)).sample(MOST_COMPARED)
    truth = examples.labels[held]
    tested = np.flatnonzero(_has_both(some.labels) & _has_both(truth))
    if not len(tested):
        return fit_heads(examples)
    some, truth = some.select(tested), truth[:, tested]
    linear, kernel = (
        _score(heads.probabilities(examples.vectors[held]), truth) for heads in (fit_heads(some), KernelHeads.fit(some))
    )
    return KernelHeads.fit(examples) if kernel > linear else fit_heads(examples)


def hold_out(documents: Sequence[str], rng: np.random.Generator) -> Integers:
    """The rows of a quarter of the documents."""
    names, owners = np.unique(np.asarray(documents, dtype=np.str_), return_inverse=True)
    return np.flatnonzero(rng.permutation(len(names))[owners] < HELD_OUT * len(names))


def _has_both(labels: Flags) -> Flags:
    return np.logical_and(labels.any(axis=0), ~labels.all(axis=0))


def _score(chances: Floats, truth: Flags) -> float:
    """Balanced accuracy, averaged over keywords."""
    right = (chances > 0.5) == truth
    return float(np.mean([right[column, place].mean() for place, own in enumerate(truth.T) for column in (own, ~own)]))
