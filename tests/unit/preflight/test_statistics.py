"""Statistics that can be merged."""

import numpy as np
import pytest

from vestige.preflight.statistics import Moments, Repeats, RunningTotal, Statistics, choose_level, hash_rows


def test_moments_by_hand():
    merged = Moments.of(np.array([[1.0], [3.0]])).merge(Moments.of(np.array([[5.0]])))
    assert (merged.n, merged.mean[0]) == (3, 3)
    assert merged.squares[0] == 8
    assert merged.deviation[0] == pytest.approx((8 / 3) ** 0.5)


def test_equal_rows_have_equal_hashes_and_others_do_not():
    rows = np.array([[0.0, 1], [-0.0, 1], [1, 0], [0, 1.0000001]], np.float32)
    one, two, three, four = hash_rows(rows).tolist()
    assert one == two
    assert len({one, three, four}) == 3
    many = np.random.default_rng(0).normal(size=(50_000, 6)).astype(np.float16).astype(np.float32)
    assert len(set(hash_rows(many).tolist())) == len(np.unique(many, axis=0))


def test_repeats_count_rows_and_the_texts_of_the_first():
    a, b = np.eye(2, dtype=np.float32)
    first = Repeats.of(np.stack([a, b, a]), np.array([1, 2, 1], np.uint64), 0)
    merged = first.merge(Repeats.of(np.stack([b, a]), np.array([9, 1], np.uint64), 0))
    assert (merged.rows, merged.repeated, merged.same_text) == (5, 3, 2)


def test_the_number_of_hashes_is_bounded():
    assert [choose_level(rows) for rows in (1, 2**20, 2**20 + 1, 2**23)] == [0, 0, 1, 3]
    rows = np.random.default_rng(0).normal(size=(8000, 3)).astype(np.float32)
    assert 800 < Repeats.of(rows, None, 3).rows < 1200


def test_lengths_by_quantile():
    rows = np.array([[1, 0]] * 50 + [[2, 0]] * 49 + [[100, 0]], np.float32)
    found = Statistics.of(rows[:30], 0, 0).merge(Statistics.of(rows[30:], 30, 0))
    assert found.find_length(0.4) == pytest.approx(1, rel=1e-3)
    assert found.find_length(0.9) == pytest.approx(2, rel=1e-3)
    assert found.find_length(0.5, apart=True) == pytest.approx(2, rel=1e-3)
    assert found.near_unit == (50, 0)


def test_a_running_total_is_that_of_all_rows_and_merges_few_rows_often_many_rows_seldom(monkeypatch):
    rows = np.random.default_rng(0).normal(size=(640, 4)).astype(np.float32)
    rows[600] = rows[3]
    merged, real = [], Statistics.merge

    def merge(self, other):
        merged.append(self.rows + other.rows)
        return real(self, other)

    monkeypatch.setattr(Statistics, "merge", merge)
    total = RunningTotal()
    assert total.merge() is None
    for start in range(0, 640, 10):
        total.add(Statistics.of(rows[start : start + 10], start, 0))
    found, whole = total.merge(), Statistics.of(rows, 0, 0)
    assert (found.rows, found.repeats.repeated, found.near_unit) == (whole.rows, 1, whole.near_unit)
    assert found.columns.mean == pytest.approx(whole.columns.mean)
    assert found.length_bins == whole.length_bins
    assert sum(merged) <= 640 * 8, "each row takes part in about log2(64) merges, not in 32"
