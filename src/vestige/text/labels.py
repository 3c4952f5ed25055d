"""Read a column as labels: strings as they are, many different numbers as ranges, missing values as None."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite
from numbers import Number
from typing import Any

import numpy as np

MOST_NUMBERS = 10
"""Up to this many different numbers are classes; more are grouped into ranges."""

RANGES = 5


@dataclass(frozen=True)
class ColumnLabels:
    """One label per row, None for a missing one; `ranges` is True where numbers were grouped into ranges."""

    labels: list[str | None]
    ranges: bool = False

    def documents(self, owners: Sequence[str]) -> dict[str, set[str]]:
        """The documents of each class; `owners` names the document of each row."""
        held: dict[str, set[str]] = defaultdict(set)
        for label, owner in zip(self.labels, owners, strict=True):
            if label is not None:
                held[label].add(owner)
        return dict(held)


def read_labels(values: Sequence[Any]) -> ColumnLabels | None:
    """The column as labels, or None if a value is a list, a record or bytes.

    None, NaN and blank strings are missing labels. Numbers may be strings, as they are in a CSV file.
    """
    if not all(value is None or isinstance(value, str | Number | date) for value in values):
        return None
    rows = [row for row, value in enumerate(values) if not _is_missing(value)]
    numbers = [_parse_number(values[row]) for row in rows]
    labels: list[str | None] = [None] * len(values)
    quantities = [number for number in numbers if number is not None]
    if len(quantities) < len(rows) or len(set(quantities)) <= MOST_NUMBERS:
        for row in rows:
            labels[row] = " ".join(str(values[row]).split())
        return ColumnLabels(labels)
    for row, label in zip(rows, _group_in_ranges(np.array(quantities)), strict=True):
        labels[row] = label
    return ColumnLabels(labels, ranges=True)


def is_row_id(values: Sequence[Any]) -> bool:
    """Whether all values are different whole numbers: a row number or an id rather than a quantity."""
    numbers = [_parse_number(value) for value in values if not _is_missing(value)]
    whole = [number for number in numbers if number is not None and number == int(number)]
    return len(whole) == len(numbers) == len(set(whole))


def _group_in_ranges(numbers: np.ndarray[Any, Any]) -> list[str]:
    """Five ranges of equally many rows, as nearly as ties allow, each named after its smallest and largest number."""
    edges = np.unique(np.quantile(numbers, np.arange(1, RANGES) / RANGES))
    places = np.searchsorted(edges, numbers, side="left")
    ends = {place: (numbers[places == place].min(), numbers[places == place].max()) for place in np.unique(places)}
    for digits in range(4, 18):
        names = {place: _name_range(least, most, digits) for place, (least, most) in ends.items()}
        if len(set(names.values())) == len(names):
            break
    return [names[place] for place in places]


def _name_range(least: float, most: float, digits: int) -> str:
    return (
        _format_number(least, digits)
        if least == most
        else f"{_format_number(least, digits)} to {_format_number(most, digits)}"
    )


def _format_number(number: float, digits: int) -> str:
    return str(int(number)) if number == int(number) else f"{number:.{digits}g}"


def _parse_number(value: Any) -> float | None:
    if isinstance(value, bool | date):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _is_missing(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value.strip())
