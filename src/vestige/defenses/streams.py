"""Secret random numbers for every row of a table, determined by a seed, the position of the row and its content.

Noise made of them cannot be recognised. The output of most random generators can: whoever guesses the vector behind a
noisy one sees whether the difference could have come out of the generator, and so whether the guess is right.

A row becomes a state as in PMAC (Black and Rogaway 2002): each block of its bits, under a mask of its own, goes through
AES; the sum of the results and of the row's position goes through AES once more. The state plus the number of a block,
through AES, is that block of the row's stream. One secret key serves for all of it: without the key the words look
random.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

from vestige.types import Floats, Singles, Vectors

Words = npt.NDArray[np.uint32]
Blocks = npt.NDArray[np.uint64]
Scramble = Callable[[Blocks], Blocks]

_BLOCK = 16
_WORDS, _HALVES = _BLOCK // 4, _BLOCK // 8
_NO_DEPTH = 2**64 - 1
_LONGEST = np.float32(32 * np.log(2))
"""A word of zeros means an exponential number larger than this."""


class Streams:
    """One stream of 32-bit words per row; the same calls give the same words.

    `states` is (rows, 2), the cipher's output for each row. `depth` separates several streams of one row. `used` blocks
    of each stream are drawn; `left` holds their words that are not consumed yet.
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
        """The number of rows, each with a stream."""
        return len(self._states)

    def words(self, count: int) -> Words:
        """The next words of each stream, (rows, `count`)."""
        missing = count - self._left.shape[1]
        if missing > 0:
            fresh = self._draw_blocks(-(-missing // _WORDS))
            self._left = np.concatenate([self._left, fresh], axis=1) if self._left.size else fresh
        drawn, self._left = self._left[:, :count], self._left[:, count:]
        return drawn

    def take(self, rows: npt.NDArray[np.generic] | slice) -> Self:
        """The streams of these rows, from their current position on."""
        return type(self)(self._scramble, self._states[rows], depth=self._depth, used=self._used, left=self._left[rows])

    def below(self, rows: npt.NDArray[np.generic]) -> Self:
        """New streams of these rows that share nothing with the rest of the current ones."""
        return type(self)(self._scramble, self._states[rows], depth=self._depth + 1)

    def _draw_blocks(self, blocks: int) -> Words:
        numbered = np.empty((len(self), blocks, _HALVES), np.uint64)
        numbers = np.arange(self._used, self._used + blocks, dtype=np.uint64)
        np.bitwise_xor(self._states[:, :1], numbers, out=numbered[..., 0])
        numbered[..., 1] = self._states[:, 1:] ^ np.uint64(self._depth)
        self._used += blocks
        return self._scramble(numbered).view(np.uint32).reshape(len(self), blocks * _WORDS)


def open_streams(seed: npt.NDArray[np.uint64], vectors: Vectors, start: int) -> Streams:
    """The streams of rows, the first of which is row `start` of its table."""
    scramble, content = _scrambler(seed.tobytes()), _content(vectors)
    mixed = scramble(content ^ _masks(seed.tobytes(), content.shape[1]))
    states = np.stack([np.bitwise_xor.reduce(half, axis=1) for half in np.moveaxis(mixed, -1, 0)], axis=1)
    states[:, 0] ^= np.arange(start, start + len(vectors), dtype=np.uint64)
    return Streams(scramble, scramble(states))


def draw_normals(streams: Streams, columns: int) -> Singles:
    """Standard normal numbers, (rows, `columns`), by the method of Box and Muller 1958."""
    half = -(-columns // 2)
    words = streams.words(2 * half)
    lengths = np.sqrt(2 * _exponentials(words[:, :half], streams))
    angles = words[:, half:].view(np.int32).astype(np.float32)
    angles *= np.float32(np.pi / 2**31)
    drawn = np.empty((len(streams), 2 * half), np.float32)
    np.multiply(np.cos(angles), lengths, out=drawn[:, :half])
    np.multiply(np.sin(angles), lengths, out=drawn[:, half:])
    return drawn[:, :columns]


def draw_exponentials(streams: Streams, columns: int) -> Singles:
    """Exponential numbers of mean 1, (rows, `columns`)."""
    return _exponentials(streams.words(columns), streams)


def draw_laplaces(streams: Streams, columns: int) -> Singles:
    """Laplace numbers of scale 1, (rows, `columns`): exponential ones, each with a random sign bit."""
    drawn, words = draw_exponentials(streams, columns), streams.words(-(-columns // 32))
    signs = (words[..., None] << np.arange(32, dtype=np.uint32)) & np.uint32(2**31)
    drawn.view(np.uint32)[...] ^= signs.reshape(len(drawn), -1)[:, :columns]
    return drawn


def draw_uniforms(streams: Streams) -> Floats:
    """One number per row, strictly between 0 and 1, of 52 random bits."""
    low, high = streams.words(2).astype(np.float64).T
    drawn: Floats = (np.floor(low / 2**12) * 2**32 + high + 0.5) / 2**52
    return drawn


def _exponentials(words: Words, streams: Streams) -> Singles:
    """The negative logarithm of each word as a fraction. The law is memoryless: beyond the longest it starts again.

    Otherwise no number would exceed 22.5, and no normal one 6.7: an outcome that can never occur would separate right
    from wrong guesses, where the guarantee says that nothing does.
    """
    drawn = words.astype(np.float32)
    drawn += np.float32(0.5)
    drawn *= np.float32(2**-32)
    np.log(drawn, out=drawn)
    np.negative(drawn, out=drawn)
    if not words.all():
        beyond = np.flatnonzero(~words.all(axis=1))
        more = _LONGEST + draw_exponentials(streams.below(beyond), words.shape[1])
        drawn[beyond] = np.where(words[beyond] == 0, more, drawn[beyond])
    return drawn


def _content(vectors: Vectors) -> Blocks:
    """The bits of each row, (rows, blocks, 2), padded with zeros."""
    bits = np.ascontiguousarray(vectors).view(np.uint8)
    padding = -bits.shape[1] % _BLOCK
    padded = np.pad(bits, ((0, 0), (0, padding))) if padding else bits
    return padded.view(np.uint64).reshape(len(padded), padded.shape[1] // _BLOCK, _HALVES)


@lru_cache(maxsize=4)
def _masks(seed: bytes, blocks: int) -> Blocks:
    """A secret mask for every block of a row, (`blocks`, 2)."""
    numbers = np.full((blocks, _HALVES), _NO_DEPTH, np.uint64)
    numbers[:, 0] = np.arange(blocks)
    return _scrambler(seed)(numbers)


def _scrambler(seed: bytes) -> Scramble:
    """AES under the seed, block by block: ECB, which must not encrypt messages, is the bare cipher."""
    cipher = Cipher(AES(seed), ECB()).encryptor()

    def scramble(blocks: Blocks) -> Blocks:
        buffer = np.empty(blocks.nbytes + _BLOCK, np.uint8)
        cipher.update_into(blocks.reshape(-1).view(np.uint8).data, buffer.data)
        return buffer[: blocks.nbytes].view(np.uint64).reshape(blocks.shape)

    return scramble
