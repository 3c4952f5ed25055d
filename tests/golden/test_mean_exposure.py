"""The mean exposure and its ends by hand."""

from math import log2

import numpy as np
import pytest

from vestige.metrics.exposure import exposure
from vestige.metrics.mean_exposure import mean_exposure


def mean_of(ranks, *, scored=1024, space=1024):
    return mean_exposure([exposure(rank, scored=scored, space=space) for rank in ranks], np.random.default_rng(0))


def test_the_mean_is_in_bits_and_has_what_chance_gives_beside_it():
    score = mean_of([1, 4] * 10)  # 10 and 8 bits
    assert score.value == 9
    assert score.n == 20
    assert score.baseline == exposure(1, scored=1024, space=1024).bits.baseline
    # Of 20 draws 6 to 14 are of the first kind in 95 of 100 cases (binomial table): 8.6 to 9.4, and Student's t widens
    # 0.4 by 2.093024 / 1.959964 * sqrt(20 / 19) = 1.095632.
    assert (score.low, score.high) == pytest.approx((8.561747, 9.438253), abs=1e-5)


def test_secrets_that_are_all_alike_are_not_certain():
    # None of 20 else: a share of at most 1 - 0.025^(1/20) = 0.16843, which may lie at 0 or at 10 bits.
    top, middle, bottom = mean_of([1] * 20), mean_of([32] * 20), mean_of([1024] * 20)
    assert (top.value, top.low, top.high) == pytest.approx((10, 8.3157, 10), abs=1e-4)
    assert (middle.value, middle.low, middle.high) == pytest.approx((5, 4.1578, 5.8422), abs=1e-4)
    assert (bottom.value, bottom.low, bottom.high) == pytest.approx((0, 0, 1.6843), abs=1e-4)
    nearly = mean_of([1024] * 19 + [1000])  # log2(1024 / 1000) / 20 = 0.00171 bits
    assert (nearly.value, nearly.low, nearly.high) == pytest.approx((0.00171, 0.00142, 1.6857), abs=1e-4)


def test_the_error_of_a_sample_is_in_the_interval():
    ranks = [3, 5, 9, 17, 33] * 4
    whole, sampled = mean_of(ranks, scored=1001, space=1001), mean_of(ranks, scored=1001, space=10**6)
    assert sampled.value == whole.value == pytest.approx(np.mean([log2(1001 / rank) for rank in ranks]), abs=1e-6)
    assert sampled.low < whole.low - 0.3
    assert sampled.high > whole.high + 0.3


def test_secrets_above_a_whole_sample_may_be_anywhere_above_it():
    score = mean_of([1] * 20, scored=1001, space=10**6)
    assert score.value == pytest.approx(log2(1001), abs=1e-6)
    provable = exposure(1, scored=1001, space=10**6).provable
    assert score.low == pytest.approx(0.025 ** (1 / 20) * provable, abs=1e-5)
    assert score.high == pytest.approx(log2(10**6), abs=1e-5)
