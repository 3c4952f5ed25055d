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


def chacha(key: Words, asked: Words, *, rounds: int = ROUNDS) -> Words:
    """Blocks of 16 words: `key` (8, ...) and `asked` (4, ...) give (16, ...), each place for itself."""
    shape = np.broadcast_shapes(key.shape[1:], asked.shape[1:])
    given = _CONSTANTS.reshape(4, *(1 for _ in shape)), key[:4], key[4:], asked
    a, b, c, d = (np.broadcast_to(part, (4, *shape)).copy() for part in given)
    spare = np.empty_like(a)
    for number in range(rounds):
        onto = _diagonally if number % 2 else _straight
        for first, second in ((16, 12), (8, 7)):
            onto(np.add, a, b)
            onto(np.bitwise_xor, d, a)
            _turn(d, first, spare)
            onto(np.add, c, d)
            onto(np.bitwise_xor, b, c)
            _turn(b, second, spare)
    found = np.empty((4, 4, *shape), np.uint32)
    for place, mixed, part in zip(found, (a, b, c, d), given, strict=True):
        np.add(mixed, part, out=place)
    return found.reshape(SIZE, *shape)


def _straight(change: np.ufunc, words: Words, others: Words) -> None:
    """Each of four rows of words changed by the same one of the others."""
    change(words, others, out=words)


def _diagonally(change: np.ufunc, words: Words, others: Words) -> None:
    """Each of four rows of words changed by the next one of the others, the last by the first."""
    change(words[:3], others[1:], out=words[:3])
    change(words[3], others[0], out=words[3])


def _turn(words: Words, bits: int, spare: Words) -> None:
    """Each word's bits to the left, those that fall out to its right end."""
    np.left_shift(words, np.uint32(bits), out=spare)
    np.right_shift(words, np.uint32(32 - bits), out=words)
    np.bitwise_or(words, spare, out=words)
