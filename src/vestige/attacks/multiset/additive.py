"""An additive model of an encoder, and greedy decoding under it.

    x - mean = amplitude · (sum of the contributions of its words) + noise
    amplitude = (size / typical size)^-exponent

An encoder that sums has exponent 0, one that averages 1, one that scales the sum to unit length about one half. The
number of words of a text can itself be inferred from its vector, which gives the amplitude of an unseen text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import sparse

from vestige.attacks.linear_words import prior_log_odds, whitening_matrix
from vestige.attacks.ridge import sparse_ridge
from vestige.attacks.rows import split_blocks
from vestige.types import Integers, Singles, Vectors

EXPONENTS = (0.0, 0.5, 1.0)
PENALTIES = (3.0, 5.0, 10.0, 20.0, 40.0)
_DIRECTIONS = 48
_SLOPE_PENALTY = 50
_LEAST_LEFT = 0.3
ROWS_AT_ONCE = 128
MOST_COLUMNS = 12_000


@dataclass(frozen=True)
class AdditiveSettings:
    """What is chosen before the contributions are fitted."""

    exponent: float
    penalty: float


@dataclass(frozen=True)
class AdditiveData:
    """What the adversary holds, row by row; `prior` has one vector per column where it has vectors of single words."""

    vectors: Vectors
    columns: sparse.csr_array
    sizes: Integers
    prior: Singles | None

    def take(self, rows: Integers) -> "AdditiveData":
        """Some of the rows."""
        return AdditiveData(self.vectors[rows], self.columns[rows], self.sizes[rows], self.prior)

    @property
    def typical(self) -> float:
        """The logarithm of the size of a typical text."""
        return float(np.log(np.maximum(self.sizes, 1)).mean())

    def design(self, exponent: float, typical: float) -> sparse.csr_array:
        """The columns, each row scaled by its true amplitude relative to a text of `typical` log size."""
        amplitude = np.exp(-exponent * (np.log(np.maximum(self.sizes, 1)) - typical)).astype(np.float32)
        return sparse.csr_array(sparse.diags_array(amplitude) @ self.columns)


@dataclass(frozen=True)
class SizeRegressor:
    """Infers from a vector how many words its text has: linear in the logarithm, clipped to the range of the pairs."""

    mean: Singles
    slope: Singles
    centre: float
    lowest: float
    highest: float

    def log_size(self, vectors: Vectors) -> Singles:
        """The logarithm of the size of each text, minus that of a typical text."""
        read = (vectors - self.mean) @ self.slope
        return np.asarray(np.clip(read, self.lowest - self.centre, self.highest - self.centre), np.float32)

    @classmethod
    def fit(cls, vectors: Vectors, sizes: Integers) -> "SizeRegressor":
        """Ridge regression in whitened coordinates, where it needs no matrix to be solved."""
        mean = vectors.mean(axis=0)
        equal = whitening_matrix(vectors - mean)
        logs = np.log(np.maximum(sizes, 1))
        pull = ((vectors - mean) @ equal).T @ (logs - logs.mean()) / (len(sizes) + _SLOPE_PENALTY)
        return cls(mean, np.asarray(equal @ pull, np.float32), float(logs.mean()), float(logs.min()), float(logs.max()))


@dataclass(frozen=True)
class AdditiveModel:
    """The fitted model: (columns, d) `contributions` in coordinates in which the noise is the same in every direction.

    `plain` are the contributions in the coordinates of the vectors.
    """

    sizes: SizeRegressor
    exponent: float
    whitening: Singles
    contributions: Singles
    log_odds: Singles
    plain: Singles

    def whitened(self, vectors: Vectors) -> Singles:
        """The vectors in the coordinates of the contributions."""
        return np.asarray((vectors - self.sizes.mean) @ self.whitening, np.float32)

    def amplitude(self, vectors: Vectors) -> Singles:
        """The amplitude of each text, from the size inferred from its vector."""
        return np.asarray(np.exp(-self.exponent * self.sizes.log_size(vectors)), np.float32)


def choose_settings(train: AdditiveData, held_out: AdditiveData, rng: np.random.Generator) -> AdditiveSettings:
    """The exponent, then the penalty, that leave the least of the held-out vectors unexplained.

    Judged on a few random directions of the space, which separate settings as well as all directions do.
    """
    mean = train.vectors.mean(axis=0)
    width = train.vectors.shape[1]
    few = rng.standard_normal((width, min(width, _DIRECTIONS))).astype(np.float32)
    seen, unseen = (train.vectors - mean) @ few, (held_out.vectors - mean) @ few

    @cache
    def prepare(exponent: float) -> tuple[sparse.csr_array, Singles | None, sparse.csr_array]:
        """What does not depend on the penalty."""
        design = train.design(exponent, train.typical)
        return design, _shared_part(train.prior, design, seen), held_out.design(exponent, train.typical)

    @cache
    def unexplained(settings: AdditiveSettings) -> float:
        design, shared, unseen_design = prepare(settings.exponent)
        found = _add_own_part(shared, design, seen, settings.penalty)
        return float(np.square(unseen - unseen_design @ found).sum())

    exponent = min((AdditiveSettings(each, PENALTIES[1]) for each in EXPONENTS), key=unexplained).exponent
    return min((AdditiveSettings(exponent, each) for each in PENALTIES), key=unexplained)


def fit_additive(data: AdditiveData, settings: AdditiveSettings, start: Singles | None = None) -> AdditiveModel:
    """Fit the contributions, then the covariance of the residuals, in closed form.

    `start` has contributions fitted to nearly the same pairs, which are close to these.
    """
    sizes = SizeRegressor.fit(data.vectors, data.sizes)
    centred = data.vectors - sizes.mean
    found = _contributions(data, centred, settings, start)
    equal = whitening_matrix(_residuals(data.design(settings.exponent, data.typical), centred, found, settings.penalty))
    odds = prior_log_odds(np.asarray(data.columns.sum(axis=0)).ravel(), len(data.vectors))
    whitened = np.ascontiguousarray(found @ equal, np.float32)
    return AdditiveModel(sizes, settings.exponent, equal, whitened, odds, found)


def _contributions(
    data: AdditiveData, centred: Singles, settings: AdditiveSettings, start: Singles | None = None
) -> Singles:
    """First the part that is linear in the vectors of single words, then what the texts with each word add to it."""
    design = data.design(settings.exponent, data.typical)
    return _add_own_part(_shared_part(data.prior, design, centred), design, centred, settings.penalty, start)


def _shared_part(prior: Singles | None, design: sparse.csr_array, centred: Singles) -> Singles | None:
    """The contributions as far as they are linear in the vectors of single words; None without such vectors."""
    if prior is None:
        return None
    summed = design @ prior
    gram = summed.T @ summed
    gram += np.trace(gram) / len(gram) * 1e-2 * np.eye(len(gram), dtype=np.float32)
    return np.asarray(prior @ np.linalg.solve(gram, summed.T @ centred), np.float32)


def _add_own_part(
    shared: Singles | None, design: sparse.csr_array, centred: Singles, penalty: float, start: Singles | None = None
) -> Singles:
    """What the texts with each word add to the shared part; `start` is near the sum of both."""
    if shared is None:
        return sparse_ridge(design, centred, penalty, start=start)
    own = None if start is None else start - shared
    return shared + sparse_ridge(design, centred - design @ shared, penalty, start=own)


def _residuals(design: sparse.csr_array, centred: Singles, found: Singles, penalty: float) -> Singles:
    """Leave-one-out residuals: each text's residual divided by one minus its leverage, approximated word by word."""
    squares = design.multiply(design)
    leverage = squares @ (1 / (np.asarray(squares.sum(axis=0)).ravel() + penalty))
    return np.asarray((centred - design @ found) / np.maximum(1 - leverage, _LEAST_LEFT)[:, None], np.float32)


class GreedyDecoder:
    """Predicts the likeliest word, subtracts what it explains, and repeats.

    The gain of a word is its log likelihood ratio, with it against without it, given the words already chosen. With r
    the vector minus what is chosen, c the contribution, a the amplitude and noise of unit variance:

        gain = strength · (a·c·r - a²·|c|²/2) + log odds.

    Choosing s lowers the gain of w by strength · a²·c_s·c_w: what s explains needs no second explanation.

    Vectors are decoded `at_once` in blocks, which suits many. One at a time suits somebody who waits for a single
    vector: no block is filled up, and no table of all c_s·c_w is kept, which has the vocabulary squared entries.
    """

    def __init__(self, model: AdditiveModel, most: int, at_once: int = ROWS_AT_ONCE) -> None:
        self.model = model
        self.most = min(most, len(model.log_odds))
        self.at_once = at_once
        self._lengths = np.square(model.contributions).sum(axis=1)
        narrow = at_once > 1 and len(model.log_odds) <= MOST_COLUMNS
        # A copy: of the product of a matrix with itself, numpy computes half, and mirrors it more slowly than that.
        self._overlaps = model.contributions @ model.contributions.T.copy() if narrow else None

    def scores(self, vectors: Vectors, strength: float, floor: float) -> Iterator[Singles]:
        """Blocks of (texts, columns). A chosen word scores the least gain up to it, any other its gain at the end.

        The words that score above any threshold from `floor` up are those that greedy decoding predicts at that
        threshold.
        """
        for block, count in split_blocks(vectors, self.at_once):
            yield self._block(block, np.float32(strength), floor)[:count]

    def _block(self, vectors: Vectors, strength: np.float32, floor: float) -> Singles:
        model, rows = self.model, np.arange(len(vectors))
        amplitude = model.amplitude(vectors)[:, None]
        square = strength * amplitude**2
        gains = strength * amplitude * (model.whitened(vectors) @ model.contributions.T)
        gains += model.log_odds - square / 2 * self._lengths
        chosen = np.full_like(gains, -np.inf)
        lowest = np.full(len(rows), np.inf, np.float32)
        for _ in range(self.most):
            every = len(rows) == len(gains)  # Then rows are not copied.
            words = (gains if every else gains[rows]).argmax(axis=1)
            best = gains[rows, words]
            going = best > floor
            if not going.all():
                rows, words, best, every = rows[going], words[going], best[going], False
            if not len(rows):
                break
            lowest[rows] = np.minimum(lowest[rows], best)
            chosen[rows, words] = lowest[rows]
            explained = self._overlap(words)
            explained *= square[rows]
            if every:
                gains -= explained
            else:
                gains[rows] -= explained
            gains[rows, words] = -np.inf
        return np.maximum(chosen, np.minimum(gains, lowest[:, None]))

    def _overlap(self, words: Integers) -> Singles:
        if self._overlaps is not None:
            return np.asarray(self._overlaps[words])
        return np.asarray(self.model.contributions[words] @ self.model.contributions.T)
