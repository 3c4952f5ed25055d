"""A stream of random words for every row of a table, by a secret seed, the place of the row and its content.

From the seed and a fingerprint of the row ChaCha makes the key of its stream, of which the place is the nonce. The
fingerprint is secret too: four sums of the row's bits, sixteen at a time, by secret weights. The sums are exact, in
whatever order they are made, and two rows that differ agree in one of them with a chance of one in 2^27 (384 columns).
"""

from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from vestige.defenses.chacha import SIZE, Words, chacha
from vestige.defenses.defense import ROWS_AT_ONCE
from vestige.types import Floats, Vectors

_PRIME = 2**31 - 1
_EXACT, _DIGIT = 53, 16
_NO_FINGERPRINT = 2**32 - 1


class Streams:
    """A stream a row: `keys` is (8, rows), `places` (2, rows). The same calls, in their order, give the same words.

    `depth` tells apart streams of one row. Of each stream `used` blocks are drawn, of which the words `left` are not
    yet given away.
    """

    def __init__(self, keys: Words, places: Words, *, depth: int = 0, used: int = 0, left: Words | None = None) -> None:
        self._keys, self._places = keys, places
        self._depth, self._used = depth, used
        self._left = np.empty((len(self), 0), np.uint32) if left is None else left

    def __len__(self) -> int:
        """How many rows have a stream."""
        return int(self._keys.shape[1])

    def words(self, count: int) -> Words:
        """The next words of each stream, (rows, `count`)."""
        missing = count - self._left.shape[1]
        if missing > 0:
            fresh = self._drawn(-(-missing // SIZE))
            self._left = np.concatenate([self._left, fresh], axis=1) if self._left.size else fresh
        found, self._left = self._left[:, :count], self._left[:, count:]
        return found

    def take(self, rows: npt.NDArray[np.generic] | slice) -> Self:
        """The streams of these rows, from here on."""
        keys, places, left = self._keys[:, rows], self._places[:, rows], self._left[rows]
        return type(self)(keys, places, depth=self._depth, used=self._used, left=left)

    def below(self, rows: npt.NDArray[np.generic]) -> Self:
        """Other streams of these rows, that share nothing with what is still to come of these."""
        return type(self)(self._keys[:, rows], self._places[:, rows], depth=self._depth + 1)

    def _drawn(self, blocks: int) -> Words:
        asked = np.empty((4, len(self), blocks), np.uint32)
        asked[0] = np.arange(self._used, self._used + blocks)
        asked[1] = self._depth
        asked[2:] = self._places[..., None]
        self._used += blocks
        return chacha(self._keys[..., None], asked).transpose(1, 0, 2).reshape(len(self), -1)


def row_streams(seed: npt.NDArray[np.uint64], vectors: Vectors, start: int) -> Streams:
    """The streams of rows, the first of which is row `start` of its table."""
    secret = seed.view(np.uint32)[:, None]
    keys = chacha(secret, _fingerprints(seed, vectors))[:8]
    places = np.arange(start, start + len(vectors), dtype=np.uint64)
    return Streams(keys, np.stack([places & np.uint64(2**32 - 1), places >> np.uint64(32)]).astype(np.uint32))


def _fingerprints(seed: npt.NDArray[np.uint64], vectors: Vectors) -> Words:
    """Four numbers below 2^31 a row, (4, rows)."""
    digits = np.ascontiguousarray(vectors).view(np.uint16)
    weights, sums = _weights(seed.tobytes(), digits.shape[1]), np.empty((len(digits), 4))
    for first in range(0, len(digits), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        sums[rows] = digits[rows].astype(np.float64) @ weights
    return np.fmod(sums, _PRIME).astype(np.uint32).T


@lru_cache(maxsize=4)
def _weights(seed: bytes, digits: int) -> Floats:
    """Secret whole numbers, (`digits`, 4), so small that a sum by them is exact."""
    places = np.full((2, 4), _NO_FINGERPRINT, np.uint32)
    places[0] = np.arange(4)
    stream = Streams(np.tile(np.frombuffer(seed, np.uint32)[:, None], 4), places)
    bits = min(_EXACT - _DIGIT - int(digits).bit_length(), 31)
    return (stream.words(digits) >> np.uint32(32 - bits)).T.astype(np.float64)
