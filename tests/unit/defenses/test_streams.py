"""The words that noise is made of: those of the cipher, a row's own, and of their laws out to the tails."""

import numpy as np
import pytest
from scipy.stats import kstest

from vestige.defenses import streams as room
from vestige.defenses.chacha import chacha
from vestige.defenses.laws import exponentials, laplaces, normals, uniforms
from vestige.defenses.streams import Streams, row_streams

SEED = np.arange(4, dtype=np.uint64)
SURE = 1e-3


def rows(count=300, columns=40):
    return np.random.default_rng(0).standard_normal((count, columns)).astype(np.float32)


def many(count=4000):
    return row_streams(SEED, np.zeros((count, 2), np.float32), 0)


def test_twenty_rounds_are_those_of_the_standard():
    """RFC 8439, Section 2.3.2."""
    key = np.frombuffer(bytes(range(32)), "<u4")
    asked = np.array([1, 0x09000000, 0x4A000000, 0], np.uint32)
    found = chacha(key[:, None], asked[:, None], rounds=20)[:, 0]
    assert " ".join(f"{word:08x}" for word in found) == (
        "e4e7f110 15593bd1 1fdd0f50 c47120a3 c7f4d1c7 0368c033 9aaa2204 4e6cd4c3 "
        "466482d2 09aa9f07 05d7c214 a2028bd9 d19c12b5 b94e16de e883d0cb 4e3c50a2"
    )


def test_eight_rounds_are_those_of_the_draft():
    """draft-strombergson-chacha-test-vectors, TC1: a key and a nonce of zeros."""
    nothing = np.zeros((8, 1), np.uint32)
    found = chacha(nothing, nothing[:4]).astype("<u4").tobytes()
    assert found.hex().startswith("3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e")


def test_the_same_calls_give_the_same_words_in_any_company_and_no_word_twice():
    def called(streams):
        return np.hstack([streams.words(3), streams.words(20), streams.words(0), streams.words(40), streams.words(2)])

    whole, streams = called(row_streams(SEED, rows(), 5)), row_streams(SEED, rows(), 5)
    assert len(np.unique(whole)) > whole.size - 5, "two of so many are the same by chance once or never"
    assert np.array_equal(called(row_streams(SEED, rows()[7:9], 12)), whole[7:9])
    begun = streams.words(3)
    few = streams.take(np.array([7, 250]))
    assert np.array_equal(np.hstack([begun[[7, 250]], few.words(20)]), whole[[7, 250], :23])


def test_a_word_depends_on_seed_place_and_every_bit_of_the_row():
    given = rows(1)
    first = row_streams(SEED, given, 5).words(4)
    assert np.array_equal(row_streams(SEED, given.copy(), 5).words(4), first)
    others = [
        row_streams(SEED + np.uint64(1), given, 5),
        row_streams(SEED, given, 6),
        row_streams(SEED, given, 5 + 2**32),
    ]
    for bit in range(0, given.size * 32, 37):
        turned = given.view(np.uint32).copy()
        turned[0, bit // 32] ^= np.uint32(1 << bit % 32)
        others.append(row_streams(SEED, turned.view(np.float32), 5))
    assert not any(np.isin(other.words(4), first).any() for other in others)
    assert not np.isin(row_streams(SEED, given, 5).below(np.array([0])).words(4), first).any()


@pytest.mark.parametrize("columns", [1, 384, 3000])
def test_sums_of_a_fingerprint_are_exact(columns):
    """Against whole numbers of any size: so no order of adding, and no company, changes them."""
    given = np.random.default_rng(1).integers(2**32, size=(3, columns), dtype=np.uint32).view(np.float32)
    weights = room._weights(SEED.tobytes(), 2 * columns)
    assert weights.max() > 2**16
    digits = given.view(np.uint16).tolist()
    exact = [[sum(d * int(w) for d, w in zip(row, column, strict=True)) for column in weights.T] for row in digits]
    assert max(map(max, exact)) < 2**53
    assert room._fingerprints(SEED, given).T.tolist() == [[each % (2**31 - 1) for each in row] for row in exact]


@pytest.mark.parametrize(
    ("drawn", "law", "other"),
    [(normals, "norm", (0, 1.03)), (exponentials, "expon", (0, 1.03)), (laplaces, "laplace", (0, 1.03))],
)
def test_numbers_have_their_law(drawn, law, other):
    found = drawn(many(), 51).ravel().astype(np.float64)
    assert kstest(found, law).pvalue > SURE
    assert kstest(found, law, args=other).pvalue < SURE, "the test can tell another scale"


def test_normal_numbers_of_a_row_do_not_hang_together():
    found = normals(many(20_000), 10)
    off = np.corrcoef(found.T) - np.eye(10)
    squares = np.corrcoef((found**2).T) - np.eye(10)
    assert max(np.abs(off).max(), np.abs(squares).max()) < 0.035


def test_one_number_a_row_lies_between_0_and_1():
    found = uniforms(many())
    assert kstest(found, "uniform").pvalue > SURE
    for word, least in ((0, 2**-53), (2**32 - 1, 1 - 2**-53)):
        edge = Streams(np.zeros((8, 1), np.uint32), np.zeros((2, 1), np.uint32), left=np.full((1, 2), word, np.uint32))
        assert uniforms(edge).tolist() == [least]


def test_there_is_no_end_to_the_tails():
    """A word of zeros says that a number is beyond 22.18; how far, a stream of its own says."""
    words = np.array([[0, 2**31 - 1, 0, 5], [7, 8, 9, 5]], np.uint32)
    keys, places = np.zeros((8, 2), np.uint32), np.arange(4, dtype=np.uint32).reshape(2, 2)
    found = exponentials(Streams(keys, places, left=words), 4)
    below = exponentials(Streams(keys[:, :1], places[:, :1], depth=1), 4)
    assert found[0].tolist() == pytest.approx([22.1807 + below[0, 0], 0.6931, 22.1807 + below[0, 2], 20.476], abs=1e-3)
    assert found[1].tolist() == pytest.approx([-np.log((w + 0.5) / 2**32) for w in (7, 8, 9, 5)], abs=1e-3)
    far = normals(Streams(keys, places, left=words), 4)
    assert np.hypot(far[0, 0], far[0, 2]) > np.sqrt(2 * 22.18)
