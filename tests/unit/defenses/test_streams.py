"""The words are those of the cipher, each row has its own, and the numbers follow their laws out to the tails."""

import struct

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from scipy import stats
from scipy.stats import kstest

from vestige.defenses import streams as module
from vestige.defenses.streams import (
    Streams,
    draw_exponentials,
    draw_laplaces,
    draw_normals,
    draw_uniforms,
    open_streams,
)

SEED = np.arange(4, dtype=np.uint64)
SCRAMBLE = module._scrambler(SEED.tobytes())
SURE = 1e-3


def rows(count=300, columns=40):
    return np.random.default_rng(0).standard_normal((count, columns)).astype(np.float32)


def many(count=4000):
    return open_streams(SEED, np.zeros((count, 2), np.float32), 0)


@pytest.mark.parametrize("columns", [3, 4, 384])
def test_words_are_those_of_the_cipher(columns):
    """Block by block, in whole numbers: masks, their sum with the place, and the number of a block."""

    def scrambled(first, second=0):
        block = Cipher(AES(SEED.tobytes()), ECB()).encryptor().update(struct.pack("<QQ", first, second))
        return int.from_bytes(block, "little")

    def halves(block):
        return block % 2**64, block >> 64

    given, start = rows(3, columns), 2**32 + 5
    streams = open_streams(SEED, given, start)
    found = streams.words(12).reshape(3, 3, 4)
    deeper = streams.below(np.array([1])).words(4)
    for row in range(3):
        content, state = given[row].tobytes(), start + row
        for number in range(-(-len(content) // 16)):
            block = int.from_bytes(content[16 * number : 16 * number + 16], "little")
            state ^= scrambled(*halves(block ^ scrambled(number, 2**64 - 1)))
        first, second = halves(scrambled(*halves(state)))
        for number in range(3):
            wanted = scrambled(first ^ number, second).to_bytes(16, "little")
            assert found[row, number].tolist() == list(struct.unpack("<4I", wanted))
        if row == 1:
            wanted = scrambled(first, second ^ 1).to_bytes(16, "little")
            assert deeper[0].tolist() == list(struct.unpack("<4I", wanted))


def test_the_cipher_is_that_of_the_standard():
    """FIPS 197, Appendix C.3."""
    scramble = module._scrambler(bytes(range(32)))
    given = np.frombuffer(bytes.fromhex("00112233445566778899aabbccddeeff"), np.uint64)
    assert scramble(given).tobytes().hex() == "8ea2b7ca516745bfeafc49904b496089"


def test_the_same_calls_give_the_same_words_whatever_the_other_rows_and_no_word_twice():
    def called(streams):
        return np.hstack([streams.words(3), streams.words(20), streams.words(0), streams.words(40), streams.words(2)])

    whole, streams = called(open_streams(SEED, rows(), 5)), open_streams(SEED, rows(), 5)
    assert len(np.unique(whole)) > whole.size - 5, "two of so many are the same by chance once or never"
    assert np.array_equal(called(open_streams(SEED, rows()[7:9], 12)), whole[7:9])
    begun = streams.words(3)
    few = streams.take(np.array([7, 250]))
    assert np.array_equal(np.hstack([begun[[7, 250]], few.words(20)]), whole[[7, 250], :23])


def test_a_word_depends_on_seed_place_and_every_bit_of_the_row():
    given = rows(1)
    first = open_streams(SEED, given, 5).words(4)
    assert np.array_equal(open_streams(SEED, given.copy(), 5).words(4), first)
    others = [
        open_streams(SEED + np.uint64(1), given, 5),
        open_streams(SEED, given, 6),
        open_streams(SEED, given, 5 + 2**32),
    ]
    for bit in range(0, given.size * 32, 37):
        turned = given.view(np.uint32).copy()
        turned[0, bit // 32] ^= np.uint32(1 << bit % 32)
        others.append(open_streams(SEED, turned.view(np.float32), 5))
    assert not any(np.isin(other.words(4), first).any() for other in others)
    assert not np.isin(open_streams(SEED, given, 5).below(np.array([0])).words(4), first).any()


@pytest.mark.parametrize(
    ("drawn", "law", "other"),
    [(draw_normals, "norm", (0, 1.03)), (draw_exponentials, "expon", (0, 1.03)), (draw_laplaces, "laplace", (0, 1.03))],
)
def test_numbers_have_their_law(drawn, law, other):
    found = drawn(many(), 51).ravel().astype(np.float64)
    assert kstest(found, getattr(stats, law).cdf).pvalue > SURE
    assert kstest(found, getattr(stats, law)(*other).cdf).pvalue < SURE, "the test can detect another scale"


def test_normal_numbers_of_a_row_are_uncorrelated():
    found = draw_normals(many(20_000), 10)
    off = np.corrcoef(found.T) - np.eye(10)
    squares = np.corrcoef((found**2).T) - np.eye(10)
    assert max(np.abs(off).max(), np.abs(squares).max()) < 0.035


def test_one_number_per_row_between_0_and_1():
    found = draw_uniforms(many())
    assert kstest(found, "uniform").pvalue > SURE
    for word, least in ((0, 2**-53), (2**32 - 1, 1 - 2**-53)):
        edge = Streams(SCRAMBLE, np.zeros((1, 2), np.uint64), left=np.full((1, 2), word, np.uint32))
        assert draw_uniforms(edge).tolist() == [least]


def test_the_tails_are_unbounded():
    """A word of zeros means that a number is beyond 22.18; another stream determines how far."""
    words = np.array([[0, 2**31 - 1, 0, 5], [7, 8, 9, 5]], np.uint32)
    states = np.arange(4, dtype=np.uint64).reshape(2, 2)
    found = draw_exponentials(Streams(SCRAMBLE, states, left=words), 4)
    below = draw_exponentials(Streams(SCRAMBLE, states[:1], depth=1), 4)
    assert found[0].tolist() == pytest.approx([22.1807 + below[0, 0], 0.6931, 22.1807 + below[0, 2], 20.476], abs=1e-3)
    assert found[1].tolist() == pytest.approx([-np.log((w + 0.5) / 2**32) for w in (7, 8, 9, 5)], abs=1e-3)
    far = draw_normals(Streams(SCRAMBLE, states, left=words), 4)
    assert np.hypot(far[0, 0], far[0, 2]) > np.sqrt(2 * 22.18)
