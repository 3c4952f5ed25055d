"""Portraits of toy encoders, and their traits by hand."""

from zlib import crc32

import numpy as np
import pytest
from sklearn.covariance import LedoitWolf

from vestige.attacks.fingerprint.portrait import WIDEST, DirectionSpread, Portrait, directions, simple_traits
from vestige.text.words import words
from vestige.types import silent


class Toy:
    """The mean of word vectors that are longer along some axes than along others; the axes are drawn by the seed."""

    def __init__(self, seed, *, columns=48, scale=1.0, unit=True, name=None):
        self.name = name or f"toy-{seed}"
        self.identity = f"{self.name} {columns} {scale} {unit}"
        self.dimension, self.scale, self.unit = columns, scale, unit
        self.axes = np.linalg.qr(np.random.default_rng(seed).standard_normal((columns, columns)))[0]
        self.axes *= np.geomspace(1, 0.05, columns)[:, None]
        self.queries = 0

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        self.queries += len(texts)
        rows = np.array([sum(map(self._word, words(text)), np.zeros(self.dimension)) for text in texts]) @ self.axes
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True) if self.unit else rows
        return (self.scale * rows).astype(np.float32)

    def _word(self, word):
        return np.random.default_rng(crc32(word.encode())).standard_normal(self.dimension)


def domain(prefix, count, seed):
    rng = np.random.default_rng(seed)
    lexicon = [f"{prefix}{number}" for number in range(150)]
    return [" ".join(rng.choice(lexicon, size=8)) for _ in range(count)]


AUXILIARY, TARGETS = domain("a", 400, 1), domain("b", 100, 2)


def test_a_portrait_that_anything_would_fit_is_not_named():
    rng = np.random.default_rng(0)
    assert Portrait.fit("round", rng.standard_normal((400, 48)).astype(np.float32), rng).blunt
    assert not Portrait.fit("toy", Toy(0).encode(AUXILIARY), rng).blunt


def test_simple_traits_by_hand():
    rows = np.array([[0, 0, 3, -4], [1, 1, 1, 1], [0, 0, 0, -2]], dtype=np.float32)
    expected = [[0.5, 0.5, np.log(4 * (0.6**4 + 0.8**4))], [0, 0, 0], [0.75, 1, np.log(4)]]
    assert simple_traits(rows) == pytest.approx(np.array(expected), abs=1e-6)
    assert simple_traits(7 * rows) == pytest.approx(np.array(expected), abs=1e-6)


def test_surprise_is_the_mahalanobis_distance_of_scikit_learn():
    rng = np.random.default_rng(0)
    rows, fresh = rng.standard_normal((2, 200, 16)) * np.geomspace(1, 0.1, 16)
    independent = LedoitWolf().fit(rows).mahalanobis(fresh) / 16
    assert np.exp(DirectionSpread.fit(rows).traits(fresh)[:, 0]) == pytest.approx(independent, rel=1e-6)


def test_tilt_is_flat_for_its_own_rows_and_steep_for_rows_that_know_nothing_of_its_axes():
    rng = np.random.default_rng(0)
    scales = np.geomspace(1, 0.1, 32)
    spread = DirectionSpread.fit(rng.standard_normal((20_000, 32)) * scales)
    own, flat = rng.standard_normal((2000, 32)) * scales, rng.standard_normal((2000, 32))
    assert np.median(spread.traits(own)[:, 1]) == pytest.approx(0, abs=0.05)
    assert np.median(spread.traits(flat)[:, 1]) == pytest.approx(-1, abs=0.05)


def test_wide_vectors_are_folded():
    wide = np.zeros((1, 3 * WIDEST), dtype=np.float32)
    wide[0, :4] = [1, 1, 2, 3]
    folded = directions(wide)
    assert folded.shape == (1, WIDEST)
    assert folded[0, :2] == pytest.approx([0.8, 0.6])
