"""A stream of random words for every row of a table, by a secret seed, the place of the row and its content.

Noise that is made of it cannot be recognised. Most generators of random numbers can: who guesses the vector behind a
noisy one sees whether what is left could have come out of the generator, and so whether the guess is right.

A row becomes a state as in PMAC (Black and Rogaway 2002): each block of its bits, under a mask of its own, goes through
AES, and the sum of what comes out, with the row's place, once more. The state and the number of a block, through AES,
are that block of the row's stream. All of it by one secret key: only who has it tells the words from chance.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

from vestige.types import Vectors

Words = npt.NDArray[np.uint32]
Blocks = npt.NDArray[np.uint64]
Scramble = Callable[[Blocks], Blocks]

_BLOCK = 16
_WORDS, _HALVES = _BLOCK // 4, _BLOCK // 8
_NO_DEPTH = 2**64 - 1


class Streams:
    """A stream a row: `states` is (rows, 2), what the cipher made of each row. The same calls give the same words.

    `depth` tells apart streams of one row. Of each stream `used` blocks are drawn, of which the words `left` are not
    yet given away.
    """

    def __init__(
        self,
        scramble: Scramble,
        states: Blocks,
        *,
        depth: int = 0,
        used: int = 0,
        left: Words | None = None,
    ) -> None:
        self._scramble, self._states = scramble, states
        self._depth, self._used = depth, used
        self._left = np.empty((len(self), 0), np.uint32) if left is None else left

    def __len__(self) -> int:
        """How many rows have a stream."""
        return len(self._states)

    def words(self, count: int) -> Words:
        """The next words of each stream, (rows, `count`)."""
        missing = count - self._left.shape[1]
        if missing > 0:
            fresh = self._drawn(-(-missing // _WORDS))
            self._left = np.concatenate([self._left, fresh], axis=1) if self._left.size else fresh
        found, self._left = self._left[:, :count], self._left[:, count:]
        return found

    def take(self, rows: npt.NDArray[np.generic] | slice) -> Self:
        """The streams of these rows, from here on."""
        return type(self)(self._scramble, self._states[rows], depth=self._depth, used=self._used, left=self._left[rows])

    def below(self, rows: npt.NDArray[np.generic]) -> Self:
        """Other streams of these rows, that share nothing with what is still to come of these."""
        return type(self)(self._scramble, self._states[rows], depth=self._depth + 1)

    def _drawn(self, blocks: int) -> Words:
        asked = np.empty((len(self), blocks, _HALVES), np.uint64)
        numbers = np.arange(self._used, self._used + blocks, dtype=np.uint64)
        np.bitwise_xor(self._states[:, :1], numbers, out=asked[..., 0])
        asked[..., 1] = self._states[:, 1:] ^ np.uint64(self._depth)
        self._used += blocks
        return self._scramble(asked).view(np.uint32).reshape(len(self), blocks * _WORDS)


def row_streams(seed: npt.NDArray[np.uint64], vectors: Vectors, start: int) -> Streams:
    """The streams of rows, the first of which is row `start` of its table."""
    scramble, content = _scrambler(seed.tobytes()), _content(vectors)
    mixed = scramble(content ^ _masks(seed.tobytes(), content.shape[1]))
    states = np.stack([np.bitwise_xor.reduce(half, axis=1) for half in np.moveaxis(mixed, -1, 0)], axis=1)
    states[:, 0] ^= np.arange(start, start + len(vectors), dtype=np.uint64)
    return Streams(scramble, scramble(states))


def _content(vectors: Vectors) -> Blocks:
    """The bits of each row, (rows, blocks, 2), zeros behind the last."""
    given = np.ascontiguousarray(vectors).view(np.uint8)
    behind = -given.shape[1] % _BLOCK
    filled = np.pad(given, ((0, 0), (0, behind))) if behind else given
    return filled.view(np.uint64).reshape(len(filled), filled.shape[1] // _BLOCK, _HALVES)


@lru_cache(maxsize=4)
def _masks(seed: bytes, blocks: int) -> Blocks:
    """A secret mask for every block of a row, (`blocks`, 2)."""
    numbers = np.full((blocks, _HALVES), _NO_DEPTH, np.uint64)
    numbers[:, 0] = np.arange(blocks)
    return _scrambler(seed)(numbers)


def _scrambler(seed: bytes) -> Scramble:
    """AES under the seed, of blocks each for itself: the mode that no text should be hidden by is the bare cipher."""
    cipher = Cipher(AES(seed), ECB()).encryptor()

    def scrambled(blocks: Blocks) -> Blocks:
        room = np.empty(blocks.nbytes + _BLOCK, np.uint8)
        cipher.update_into(blocks.reshape(-1).view(np.uint8).data, room.data)
        return room[: blocks.nbytes].view(np.uint64).reshape(blocks.shape)

    return scrambled
