"""Which words a private vector speaks for, by ridge regression on texts carried into the private space."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.surrogate.carrying import Carry
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.attacks.surrogate.word_targets import importance_and_presence, prior_of, rarity_of, shares, worth
from vestige.types import Floats, Integers, Singles

EXTERNAL_WEIGHT = 0.1
"""Texts of elsewhere count a tenth: at full weight they cost more than they bring."""

PENALTIES = (0.03, 0.1)
"""Shares of the largest eigenvalue."""

PRIOR_WEIGHTS = (0.0, 0.5, 1.0, 2.0, 4.0)
FEWEST = 20


@dataclass(frozen=True)
class WordRidge:
    """`chances(x)` grows with what `x` has over the mean victim along the direction of each word, and with its mean."""

    centre: Singles
    directions: Floats
    usual: Floats
    """What every document is given: the mean of each word over the pool, times the weight of the prior."""
    prior: Floats

    @classmethod
    def of(cls, known: Knowledge, words: Singles, carry: Carry) -> "WordRidge":
        """Learn from the pool, the external texts, and `words`: each word of the vocabulary as a text of its own.

        Penalty and weight of the prior are chosen on the queried documents, by what is learned without their words.
        """
        lesson = Lesson.of(known, words, carry)
        centre, mean = known.targets.mean(axis=0), np.asarray(lesson.wanted.mean(axis=0)).ravel()
        penalty, weight = _chosen(known, lesson, centre, mean)
        everything = np.arange(len(known.pool))
        return cls(centre, lesson.directions(everything, penalty), weight * mean, prior_of(known))

    def chances(self, vectors: Singles) -> Floats:
        """A row a vector that adds up to 1: the share of each word; the prior decides where nothing is read."""
        found = (vectors - self.centre).astype(np.float64) @ self.directions + self.usual
        return shares(found, self.prior)


@dataclass(frozen=True)
class Lesson:
    """The pool in the private space with what is wanted of each word there, and what all other texts add to it."""

    pool: Floats
    wanted: sparse.csr_array
    gram: Floats
    cross: Floats

    @classmethod
    def of(cls, known: Knowledge, words: Singles, carry: Carry) -> "Lesson":
        """Each kind of text is centred by itself, so that what sets it apart as a whole tells nothing of words."""
        rarity = rarity_of(known.pool.weights)
        single = _centred(carry(words))
        gram, cross = single.T @ single, single.T.copy()
        if len(known.external):
            others = _centred(carry(known.external.vectors))
            gram += EXTERNAL_WEIGHT * others.T @ others
            cross += EXTERNAL_WEIGHT * (importance_and_presence(known.external.weights, rarity).T @ others).T
        return cls(
            _centred(carry(known.pool.vectors)), importance_and_presence(known.pool.weights, rarity), gram, cross
        )

    def directions(self, rows: Integers, penalty: float) -> Floats:
        """One a word, learned from these rows of the pool; none where all texts lie in one place."""
        seen = self.pool[rows] - self.pool[rows].mean(axis=0)
        gram, cross = self.gram + seen.T @ seen, self.cross + (self.wanted[rows].T @ seen).T
        largest = float(np.linalg.eigvalsh(gram)[-1])
        if largest < 1e-9:
            return np.zeros_like(cross)
        return np.asarray(np.linalg.solve(gram + penalty * largest * np.eye(len(gram)), cross), np.float64)


def _chosen(known: Knowledge, lesson: Lesson, centre: Singles, mean: Floats) -> tuple[float, float]:
    """The penalty and the weight of the prior with the largest Precision@5 and NDCG@5, added, on queried documents."""
    rest = np.setdiff1d(np.arange(len(known.pool)), known.queried)
    if min(len(rest), len(known.queried)) < FEWEST:
        return PENALTIES[0], 1.0 if len(known.queried) > 1 else 0.0
    truth = known.pool.weights[known.queried].toarray()
    found: dict[tuple[float, float], float] = {}
    for penalty in PENALTIES:
        read = (known.answers - centre).astype(np.float64) @ lesson.directions(rest, penalty)
        found |= {(penalty, weight): worth(read + weight * mean, truth) for weight in PRIOR_WEIGHTS}
    return max(found, key=lambda each: found[each])


def _centred(vectors: Singles) -> Floats:
    return np.asarray(vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64))
