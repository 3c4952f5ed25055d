"""Greedy decoding under an additive model: claim the likeliest word, take away what it explains, look again."""

from collections.abc import Iterator

import numpy as np

from vestige.attacks.blocks import blocks
from vestige.attacks.multiset.additive import Additive
from vestige.types import Integers, Singles, Vectors

ROWS_AT_ONCE = 128
MOST_COLUMNS = 12_000


class Greedy:
    """The gain of a word is its log likelihood ratio, with it against without, given the words already chosen.

    With r the vector less what is chosen, c the contribution, a the amplitude and noise of unit variance:

        gain = strength · (a·c·r - a²·|c|²/2) + log odds.

    Choosing s lowers the gain of w by strength · a²·c_s·c_w: what s explains needs no second explanation.
    """

    def __init__(self, model: Additive, most: int) -> None:
        self.model = model
        self.most = min(most, len(model.log_odds))
        self._lengths = np.square(model.contributions).sum(axis=1)
        narrow = len(model.log_odds) <= MOST_COLUMNS
        self._overlaps = model.contributions @ model.contributions.T if narrow else None

    def scores(self, vectors: Vectors, strength: float, floor: float) -> Iterator[Singles]:
        """Blocks of (texts, columns). A chosen word scores the least gain up to it, the others their gain at the end.

        So the words that score above any cut from `floor` up are those that greedy decoding claims with that cut.
        """
        for block, count in blocks(vectors, ROWS_AT_ONCE):
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
            words = gains[rows].argmax(axis=1)
            best = gains[rows, words]
            going = best > floor
            rows, words, best = rows[going], words[going], best[going]
            if not len(rows):
                break
            lowest[rows] = np.minimum(lowest[rows], best)
            chosen[rows, words] = lowest[rows]
            gains[rows] -= square[rows] * self._overlap(words)
            gains[rows, words] = -np.inf
        return np.maximum(chosen, np.minimum(gains, lowest[:, None]))

    def _overlap(self, words: Integers) -> Singles:
        if self._overlaps is not None:
            return np.asarray(self._overlaps[words])
        return np.asarray(self.model.contributions[words] @ self.model.contributions.T)
