"""The benchmark of comparisons measures what `vestige compare` reports."""

import json
from pathlib import Path

import numpy as np
import pytest
from bench.compare import Gains

from tests.sample_comparison import scored
from tests.sample_result import result
from vestige.audit.compare import compare
from vestige.audit.difference import FIT_SPREAD

ROOT = Path(__file__).parents[3]


def test_the_interval_is_that_of_a_comparison():
    base, new = scored("words", 0.4), scored("words", 0.45, seed=1)
    scores = base.per_target
    measured = Gains(np.array(scores.gains), np.array(new.per_target.gains), scores.documents).compare()
    reported = compare(result(base), result(new))["words"].difference
    assert (measured.low, measured.high) == pytest.approx((reported.low, reported.high), abs=1e-6)
    assert measured.high - measured.low > 2 * 1.95 * FIT_SPREAD


def test_the_allowance_for_the_fit_covers_the_difference_of_two_recorded_fits():
    lines = json.loads((ROOT / "results/bench/compare_null.json").read_text())["lines"]
    spreads = [float(line.partition("with an SD of ")[2].split()[0]) for line in lines]
    assert max(spreads) > 0
    assert 2**0.5 * max(spreads) <= FIT_SPREAD
