"""How much likelier a pair of members would have such a sum and such a difference, in closed form."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from vestige.attacks.membership.neighbours import Pairs
from vestige.types import Flags, Floats, Vectors

PRIOR_PAIRS = 20
"""As many pairs as the spread of both classes together counts for, in the spread of each."""


@dataclass(frozen=True)
class Gaussian:
    """Independent columns: `mean` and `variance` of each."""

    mean: Floats
    variance: Floats

    def log_density(self, rows: Floats) -> Floats:
        """Of each row, but for a constant that all Gaussians of as many columns share."""
        terms = np.square(rows - self.mean) / self.variance + np.log(self.variance)
        values: Floats = -0.5 * terms.sum(axis=1)
        return values


@dataclass(frozen=True)
class GaussianRatio:
    """Sums and differences of neighbours along principal directions, as Gaussians of members and of others.

    A difference says how alike two sentences are, a sum says how much the encoder makes of either; members have small
    differences and large sums. Directions are taken for independent, so that a few hundred pairs are enough.
    """

    centre: Floats
    directions: Floats
    members: Gaussian
    others: Gaussian

    @classmethod
    def of(cls, vectors: Vectors, pairs: Pairs, members: Flags) -> Self:
        """Directions from all `vectors`, Gaussians from the labelled pairs."""
        centre = vectors.mean(axis=0, dtype=np.float64)
        directions = np.linalg.eigh(np.cov(vectors.T.astype(np.float64)).reshape(len(centre), -1)).eigenvectors
        rows = _laid_out(pairs, centre, directions)
        everyone = rows.var(axis=0) + np.finfo(np.float64).tiny
        return cls(centre, directions, *(_gaussian(rows[side], everyone) for side in (members, ~members)))

    def scores(self, pairs: Pairs) -> Floats:
        """The logarithm of the ratio of the two densities; the same whichever sentence comes first."""
        rows = _laid_out(pairs, self.centre, self.directions)
        return self.members.log_density(rows) - self.others.log_density(rows)


def _laid_out(pairs: Pairs, centre: Floats, directions: Floats) -> Floats:
    """Sums, then differences; the order of a pair says nothing, so that both orders have one mean, 0."""
    left, right = ((side - centre) @ directions for side in (pairs.first, pairs.second))
    return np.hstack([left + right, left - right])


def _gaussian(rows: Floats, everyone: Floats) -> Gaussian:
    mean = rows.mean(axis=0)
    mean[rows.shape[1] // 2 :] = 0
    spread = np.square(rows - mean).sum(axis=0) + PRIOR_PAIRS * everyone
    return Gaussian(mean, spread / (len(rows) + PRIOR_PAIRS))
