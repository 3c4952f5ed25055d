"""Ours: which words a private vector speaks for, by ridge regression on texts carried into the private space."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.surrogate.carrying import Carry
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.types import Floats, Singles

PENALTY = 0.03
EXTERNAL_WEIGHT = 0.1
"""Texts of elsewhere count a tenth: at full weight they cost more than they bring."""

_TIE = 1e-6


@dataclass(frozen=True)
class WordRidge:
    """`chances(x)` grows with what `x` has over the mean victim, along the direction of each word."""

    centre: Singles
    directions: Floats
    prior: Floats

    @classmethod
    def of(cls, known: Knowledge, words: Singles, carry: Carry) -> "WordRidge":
        """Learn from the pool, the external texts, and `words`: each word of the vocabulary as a text of its own.

        Each of the three is centred by itself, so that what sets it apart as a whole tells nothing of words.
        """
        rarity = _rarity(known.pool.weights)
        lessons = [
            (carry(known.pool.vectors), _wanted(known.pool.weights, rarity), 1.0),
            (carry(words), sparse.eye_array(len(words), format="csr"), 1.0),
        ]
        if len(known.external):
            lessons.append((carry(known.external.vectors), _wanted(known.external.weights, rarity), EXTERNAL_WEIGHT))
        width = known.targets.shape[1]
        gram, cross = np.zeros((width, width)), np.zeros((width, len(words)))
        for vectors, wanted, weight in lessons:
            deviations = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
            gram += weight * deviations.T @ deviations
            cross += weight * (wanted.T @ deviations).T
        largest = float(np.linalg.eigvalsh(gram)[-1])
        learned: Floats = np.zeros_like(cross)
        if largest > 1e-9:
            learned[:] = np.linalg.solve(gram + PENALTY * largest * np.eye(width), cross)
        prior = np.asarray(known.pool.weights.mean(axis=0)).ravel()
        return cls(known.targets.mean(axis=0), learned, prior / prior.sum())

    def chances(self, vectors: Singles) -> Floats:
        """A row a vector that adds up to 1: the share of each word; the prior decides where nothing is read."""
        found = np.maximum((vectors - self.centre).astype(np.float64) @ self.directions, 0) + _TIE * self.prior
        return np.asarray(found / found.sum(axis=1, keepdims=True))


def _wanted(weights: sparse.csr_array, rarity: Floats) -> sparse.csr_array:
    """Half how much a word matters, half that it is there, a rare one counting more; both of unit length a text."""
    there = sparse.csr_array((rarity[weights.indices], weights.indices, weights.indptr), shape=weights.shape)
    return _unit(weights) + _unit(there)


def _unit(table: sparse.csr_array) -> sparse.csr_array:
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ table)


def _rarity(weights: sparse.csr_array) -> Floats:
    """The inverse document frequency of each word, as scikit-learn smooths it."""
    held = np.bincount(weights.indices, minlength=weights.shape[1])
    return np.asarray(np.log((1 + weights.shape[0]) / (1 + held)) + 1)
