"""The benchmark of comparisons measures what `vestige compare` reports."""

import json
from pathlib import Path

import numpy as np
import pytest
from bench.compare import PLANTED, TARGETS, Gains, draw_targets
from bench.compare_pairs import describe_pair

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


def test_all_sentences_of_a_drawn_document_are_targets():
    documents = [str(row // 3) for row in range(4 * TARGETS)]
    rows, numbers = draw_targets(documents, np.random.default_rng(0))
    assert len(rows) == pytest.approx(TARGETS, abs=5)
    assert np.bincount(numbers).max() == 3
    assert set(np.diff(rows)[::3].tolist()) == {1}


def test_a_planted_change_is_seen_in_pairs_that_are_alike_and_not_in_others():
    rng, documents = np.random.default_rng(0), [str(row) for row in range(2 * TARGETS)]
    shared, own = rng.normal(0, 0.2, 2 * TARGETS), rng.normal(0, 0.2, 2 * TARGETS)
    alike = describe_pair(shared, shared + 0.1 * own, documents)
    apart = describe_pair(shared, own, documents)
    assert (_find(alike, "correlation"), _find(apart, "correlation")) == pytest.approx((0.99, 0.0), abs=0.05)
    assert _find(alike, "called worse in") > 0.9 > 0.7 > _find(apart, "called worse in")
    assert f"{PLANTED:+} in about" in alike


def _find(line, label):
    return float(line.partition(f"{label} ")[2].split()[0])
