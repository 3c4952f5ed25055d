"""Exposure by hand."""

from math import log2

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.metrics.exposure import exposure, rank_among


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
    # 90 of 100 scored, four above: at best the rank is 5, at worst all ten others stand before it too: 15.
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


def test_a_candidate_with_the_same_score_stands_before_the_secret():
    assert rank_among(2.0, np.array([3.0, 2.0, 1.0, 2.0])) == 4
    assert rank_among(4.0, np.array([3.0, 2.0])) == 1
    assert rank_among(0.0, np.array([])) == 1


def test_what_cannot_be_ranked_is_refused():
    for rank, scored, space in [(0, 5, 5), (6, 5, 9), (1, 10, 9)]:
        with pytest.raises(
            InputError, match=f"a rank of {rank} among {scored} scored candidates of a space of {space}"
        ):
            exposure(rank, scored=scored, space=space)
    with pytest.raises(InputError, match="not a finite number"):
        rank_among(np.nan, np.ones(3))
