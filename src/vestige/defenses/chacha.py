"""ChaCha (Bernstein 2008), a block cipher's core over many blocks at once: words that only the key tells from chance.

Noise that is made of it cannot be recognised. Most generators of random numbers can: who guesses the vector behind a
noisy one sees whether what is left could have come out of the generator, and so whether the guess is right.

Eight rounds, as the generator of Go has; the best attack known is on seven, and far from being feasible.
"""

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]

ROUNDS = 8
SIZE = 16
"""Words of a block: four constants, eight of the key, four of what is asked for."""

_CONSTANTS = np.frombuffer(b"expand 32-byte k", "<u4")
_NEXT, _OPPOSITE, _LAST = [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]


def chacha(key: Words, asked: Words, *, rounds: int = ROUNDS) -> Words:
    """Blocks of 16 words: `key` (8, ...) and `asked` (4, ...) give (16, ...), each place for itself."""
    given = np.empty((SIZE, *np.broadcast_shapes(key.shape[1:], asked.shape[1:])), np.uint32)
    given[:4] = _CONSTANTS.reshape(4, *(1 for _ in given.shape[1:]))
    given[4:12], given[12:] = key, asked
    a, b, c, d = given.copy().reshape(4, 4, *given.shape[1:])
    spare = np.empty_like(a)
    for _ in range(rounds // 2):
        _round(a, b, c, d, spare)
        b, c, d = b[_NEXT], c[_OPPOSITE], d[_LAST]
        _round(a, b, c, d, spare)
        b, c, d = b[_LAST], c[_OPPOSITE], d[_NEXT]
    for row, mixed in enumerate((a, b, c, d)):
        given[4 * row : 4 * row + 4] += mixed
    return given


def _round(a: Words, b: Words, c: Words, d: Words, spare: Words) -> None:
    """Four quarter rounds side by side, in place."""
    for first, second in ((16, 12), (8, 7)):
        a += b
        d ^= a
        _turn(d, first, spare)
        c += d
        b ^= c
        _turn(b, second, spare)


def _turn(words: Words, bits: int, spare: Words) -> None:
    """Each word's bits to the left, those that fall out to its right end."""
    np.left_shift(words, np.uint32(bits), out=spare)
    np.right_shift(words, np.uint32(32 - bits), out=words)
    np.bitwise_or(words, spare, out=words)
