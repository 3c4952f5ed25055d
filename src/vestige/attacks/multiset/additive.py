"""An additive model of an encoder: the vector of a text is the sum of what its words contribute, and noise.

    x - mean = amplitude · (sum of the contributions of its words) + noise
    amplitude = (size / typical size)^-exponent

An encoder that adds has exponent 0, one that averages 1, one that makes the sum unit length about one half. How many
words a text has can itself be read from its vector, which gives the amplitude of a text never seen.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.linear_words import log_odds_of, whitening_of
from vestige.attacks.sparse_ridge import sparse_ridge
from vestige.types import Integers, Singles, Vectors

EXPONENTS = (0.0, 0.5, 1.0)
PENALTIES = (3.0, 5.0, 10.0, 20.0, 40.0)
_DIRECTIONS = 48
_SLOPE_PENALTY = 50
_LEAST_LEFT = 0.3


@dataclass(frozen=True)
class SizeReader:
    """Reads off a vector how many words its text has: linear in the logarithm, held within what was seen."""

    mean: Singles
    slope: Singles
    centre: float
    lowest: float
    highest: float

    def log_size(self, vectors: Vectors) -> Singles:
        """The logarithm of the size of each text, less that of a typical text."""
        read = (vectors - self.mean) @ self.slope
        return np.asarray(np.clip(read, self.lowest - self.centre, self.highest - self.centre), np.float32)

    @classmethod
    def fit(cls, vectors: Vectors, sizes: Integers) -> "SizeReader":
        """Ridge regression in whitened coordinates, where it needs no matrix to be solved."""
        mean = vectors.mean(axis=0)
        equal = whitening_of(vectors - mean)
        logs = np.log(np.maximum(sizes, 1))
        pull = ((vectors - mean) @ equal).T @ (logs - logs.mean()) / (len(sizes) + _SLOPE_PENALTY)
        return cls(mean, np.asarray(equal @ pull, np.float32), float(logs.mean()), float(logs.min()), float(logs.max()))


@dataclass(frozen=True)
class Shape:
    """What is chosen before the contributions are fitted."""

    exponent: float
    penalty: float


@dataclass(frozen=True)
class Additive:
    """`contributions` and vectors in coordinates where the noise is the same in every direction: (columns, d).

    `plain` are the contributions in the coordinates of the vectors.
    """

    sizes: SizeReader
    exponent: float
    whitening: Singles
    contributions: Singles
    log_odds: Singles
    plain: Singles

    def whitened(self, vectors: Vectors) -> Singles:
        """The vectors in the coordinates of the contributions."""
        return np.asarray((vectors - self.sizes.mean) @ self.whitening, np.float32)

    def amplitude(self, vectors: Vectors) -> Singles:
        """How loud each word is in each text, by the size that the vector tells."""
        return np.asarray(np.exp(-self.exponent * self.sizes.log_size(vectors)), np.float32)


@dataclass(frozen=True)
class Pairs:
    """What the adversary holds, row by row; `prior` has a vector a column where word vectors are given, else None."""

    vectors: Vectors
    columns: sparse.csr_array
    sizes: Integers
    prior: Singles | None

    def take(self, rows: Integers) -> "Pairs":
        """Some of the rows."""
        return Pairs(self.vectors[rows], self.columns[rows], self.sizes[rows], self.prior)

    @property
    def typical(self) -> float:
        """The logarithm of the size of a typical text."""
        return float(np.log(np.maximum(self.sizes, 1)).mean())

    def design(self, exponent: float, typical: float) -> sparse.csr_array:
        """The columns, each row scaled by its true amplitude, beside a text of `typical` log size."""
        loud = np.exp(-exponent * (np.log(np.maximum(self.sizes, 1)) - typical)).astype(np.float32)
        return sparse.csr_array(sparse.diags_array(loud) @ self.columns)


def best_shape(kept: Pairs, held: Pairs, rng: np.random.Generator) -> Shape:
    """The exponent, then the penalty, that leave the least of the held-out vectors unexplained.

    Judged on a few random directions of the space, which are as good as all to tell one shape from another.
    """
    mean = kept.vectors.mean(axis=0)
    width = kept.vectors.shape[1]
    few = rng.standard_normal((width, min(width, _DIRECTIONS))).astype(np.float32)
    seen, unseen = (kept.vectors - mean) @ few, (held.vectors - mean) @ few

    def unexplained(shape: Shape) -> float:
        found = _contributions(kept, seen, shape)
        return float(np.square(unseen - held.design(shape.exponent, kept.typical) @ found).sum())

    exponent = min((Shape(each, PENALTIES[1]) for each in EXPONENTS), key=unexplained).exponent
    return min((Shape(exponent, each) for each in PENALTIES), key=unexplained)


def additive(pairs: Pairs, shape: Shape, start: Singles | None = None) -> Additive:
    """Fit contributions, then the covariance of what they leave, in closed form.

    `start` has contributions fitted to nearly the same pairs, from which it is not far to these.
    """
    sizes = SizeReader.fit(pairs.vectors, pairs.sizes)
    centred = pairs.vectors - sizes.mean
    found = _contributions(pairs, centred, shape, start)
    equal = whitening_of(_left_out(pairs.design(shape.exponent, pairs.typical), centred, found, shape.penalty))
    odds = log_odds_of(np.asarray(pairs.columns.sum(axis=0)).ravel(), len(pairs.vectors))
    whitened = np.ascontiguousarray(found @ equal, np.float32)
    return Additive(sizes, shape.exponent, equal, whitened, odds, found)


def _contributions(pairs: Pairs, centred: Singles, shape: Shape, start: Singles | None = None) -> Singles:
    """What a word's vector tells of its contribution first, then what the texts that hold it add."""
    design = pairs.design(shape.exponent, pairs.typical)
    if pairs.prior is None:
        return sparse_ridge(design, centred, shape.penalty, start=start)
    summed = design @ pairs.prior
    gram = summed.T @ summed
    gram += np.trace(gram) / len(gram) * 1e-2 * np.eye(len(gram), dtype=np.float32)
    told = np.asarray(pairs.prior @ np.linalg.solve(gram, summed.T @ centred), np.float32)
    own = None if start is None else start - told
    return told + sparse_ridge(design, centred - design @ told, shape.penalty, start=own)


def _left_out(design: sparse.csr_array, centred: Singles, found: Singles, penalty: float) -> Singles:
    """Residuals as if each text had been left out of the fit: divided by one less its leverage, taken word by word."""
    squares = design.multiply(design)
    leverage = squares @ (1 / (np.asarray(squares.sum(axis=0)).ravel() + penalty))
    return np.asarray((centred - design @ found) / np.maximum(1 - leverage, _LEAST_LEFT)[:, None], np.float32)
