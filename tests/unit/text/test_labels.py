"""Columns as labels, by hand."""

from datetime import date
from decimal import Decimal

import pytest

from vestige.text.labels import is_row_id, read_labels


def test_names_are_classes_and_gaps_are_none():
    found = read_labels(["a", " a ", None, "", float("nan"), "b  c"])
    assert found.labels == ["a", "a", None, None, None, "b c"]
    assert not found.ranges


def test_few_numbers_are_classes_and_so_are_flags_and_days():
    assert read_labels([1, 5, 5, None]).labels == ["1", "5", "5", None]
    assert read_labels([True, False]).labels == ["True", "False"]
    assert read_labels([date(2020, 1, 2)] * 2).labels == ["2020-01-02"] * 2


@pytest.mark.parametrize("kind", [int, float, str, Decimal])
def test_many_numbers_become_five_ranges_of_equally_many_rows(kind):
    found = read_labels([kind(number) for number in range(20, 70)] + [None])
    assert found.ranges
    assert found.labels[:10] == ["20 to 29"] * 10
    assert found.labels[40:] == ["60 to 69"] * 10 + [None]
    assert len(set(found.labels)) == 6


def test_equal_numbers_stay_in_one_range():
    found = read_labels([0] * 60 + list(range(1, 41)))
    assert found.labels[:60] == ["0"] * 60
    assert set(found.labels) == {"0", "1 to 20", "21 to 40"}


def test_fractions_have_few_digits():
    assert read_labels([number / 7 for number in range(11)]).labels[-1] == "1.286 to 1.429"


@pytest.mark.parametrize("value", [[0.1, 0.2], {"a": 1}, b"a"])
def test_lists_records_and_bytes_are_not_labels(value):
    assert read_labels([value, None]) is None


def test_infinity_is_not_a_quantity():
    assert not read_labels([*range(20), float("inf")]).ranges


def test_row_numbers_are_distinguished_from_quantities():
    assert is_row_id(range(30))
    assert is_row_id(["7", "8", None])
    assert not is_row_id([7, 7, 8])
    assert not is_row_id([0.5, 1.5])
    assert not is_row_id(["a", "b"])


def test_documents_of_a_class_are_counted_once():
    held = read_labels(["a", "a", "b", None]).documents(["1", "1", "2", "3"])
    assert held == {"a": {"1"}, "b": {"2"}}


def test_ranges_of_close_numbers_have_different_names():
    found = read_labels([1_700_000_000.5 + row for row in range(100)])
    assert found is not None
    assert len(set(found.labels)) == 5
    near = read_labels([40.70 + row / 100_000 for row in range(100)])
    assert near is not None
    assert len(set(near.labels)) == 5
