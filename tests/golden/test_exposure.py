"""Exposure of a secret, and the mean over secrets, by hand."""

from math import log2

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.metrics.exposure import exposure, mean_exposure, rank_among


@pytest.mark.parametrize(("rank", "bits"), [(1, 10), (4, 8), (1024, 0)])
def test_a_space_scored_in_full_leaves_no_doubt(rank, bits):
    found = exposure(rank, scored=1024, space=1024)
    assert (found.bits.value, found.bits.low, found.bits.high) == (bits, bits, bits)
    assert (found.bits.n, found.rank, found.space, found.provable) == (1024, rank, 1024, 10)


def test_the_baseline_is_the_mean_over_all_ranks():
    # Four candidates: (2 + 1 + log2(4/3) + 0) / 4. Of very many: log2(e).
    assert exposure(1, scored=4, space=4).bits.baseline == pytest.approx((3 + log2(4 / 3)) / 4, abs=1e-6)
    assert exposure(1, scored=10**6, space=10**6).bits.baseline == pytest.approx(log2(np.e), abs=1e-4)


def test_a_secret_above_a_whole_sample_is_exposed_at_least_so_much():
    # Of 1000 none is above: a share of at most 1 - 0.025^(1/1000) of the 999,999 others.
    found = exposure(1, scored=1001, space=10**6)
    least = log2(10**6) - log2(1 + (1 - 0.025**0.001) * 999_999)
    assert found.bits.value == pytest.approx(log2(1001), abs=1e-6)
    assert found.bits.low == found.provable == pytest.approx(least, abs=1e-6)
    assert found.bits.high == pytest.approx(log2(10**6), abs=1e-6)


def test_a_sample_gives_the_interval_of_its_share():
    # 10 of 1000: tables give 0.004805 to 0.018314.
    found = exposure(11, scored=1001, space=10**6)
    assert found.bits.value == pytest.approx(log2(1001 / 11), abs=1e-6)
    assert found.bits.low == pytest.approx(log2(10**6 / (1 + 0.018314 * 999_999)), abs=1e-3)
    assert found.bits.high == pytest.approx(log2(10**6 / (1 + 0.004805 * 999_999)), abs=1e-3)
    assert found.bits.low < found.provable


def test_the_ranks_that_the_sample_leaves_open():
    # 90 of 100 scored, four above: at best the rank is 5, at worst all ten others rank before it too: 15.
    found = exposure(5, scored=90, space=100)
    assert found.bits.high <= log2(100 / 5) + 1e-6
    assert found.bits.low == pytest.approx(max(log2(100 / 15), found.bits.low), abs=1e-6)
    assert exposure(1, scored=1, space=64).bits.value == 0
    assert (exposure(1, scored=1, space=64).bits.low, exposure(1, scored=1, space=64).bits.high) == (0, 6)


def test_the_interval_holds_the_truth_whatever_the_rank():
    # Every sample of 200 of the 999 others, weighed by its chance.
    from scipy.stats import hypergeom

    found = [exposure(above + 1, scored=201, space=1000).bits for above in range(201)]
    low, high = (np.array([getattr(bits, end) for bits in found]) for end in ("low", "high"))
    for rank in (1, 3, 40, 385, 600, 1000):
        truth = log2(1000 / rank)
        held = (low - 1e-6 <= truth) & (truth <= high + 1e-6)
        assert hypergeom(999, rank - 1, 200).pmf(np.arange(201)) @ held >= 0.95


def test_a_candidate_with_the_same_score_ranks_before_the_secret():
    assert rank_among(2.0, np.array([3.0, 2.0, 1.0, 2.0])) == 4
    assert rank_among(4.0, np.array([3.0, 2.0])) == 1
    assert rank_among(0.0, np.array([])) == 1


def test_invalid_ranks_are_refused():
    for rank, scored, space in [(0, 5, 5), (6, 5, 9), (1, 10, 9)]:
        with pytest.raises(
            InputError, match=f"a rank of {rank} among {scored} scored candidates of a space of {space}"
        ):
            exposure(rank, scored=scored, space=space)
    with pytest.raises(InputError, match="not a finite number"):
        rank_among(np.nan, np.ones(3))


def mean_of(ranks, *, scored=1024, space=1024):
    return mean_exposure([exposure(rank, scored=scored, space=space) for rank in ranks], np.random.default_rng(0))


def test_the_mean_is_in_bits_with_the_baseline_of_chance():
    score = mean_of([1, 4] * 10)  # 10 and 8 bits
    assert score.value == 9
    assert score.n == 20
    assert score.baseline == exposure(1, scored=1024, space=1024).bits.baseline
    # Of 20 draws 6 to 14 are of the first kind in 95 of 100 cases (binomial table): 8.6 to 9.4, and Student's t widens
    # 0.4 by 2.093024 / 1.959964 * sqrt(20 / 19) = 1.095632.
    assert (score.low, score.high) == pytest.approx((8.561747, 9.438253), abs=1e-5)


def test_equal_exposures_still_have_an_interval():
    # None of 20 else: a share of at most 1 - 0.025^(1/20) = 0.16843, which may be at 0 or at 10 bits.
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
