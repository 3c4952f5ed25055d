"""A column that came with texts, read as labels: names as they are, many numbers in ranges, gaps left out."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite
from numbers import Number
from typing import Any

import numpy as np

MOST_NUMBERS = 10
"""So many different numbers are classes of their own; more are put into ranges."""

RANGES = 5


@dataclass(frozen=True)
class Labels:
    """One label a row, None where there is none; `ranges` says that the column holds numbers, put into ranges."""

    labels: list[str | None]
    ranges: bool = False

    def documents(self, owners: Sequence[str]) -> dict[str, set[str]]:
        """The documents of each class; `owners` names the document of each row."""
        held: dict[str, set[str]] = defaultdict(set)
        for label, owner in zip(self.labels, owners, strict=True):
            if label is not None:
                held[label].add(owner)
        return dict(held)


def read_labels(values: Sequence[Any]) -> Labels | None:
    """The column as labels, or None where a value is a list, a record or bytes.

    None, NaN and blanks are no labels. Numbers may be written as strings, as they come from a CSV file.
    """
    if not all(value is None or isinstance(value, str | Number | date) for value in values):
        return None
    rows = [row for row, value in enumerate(values) if not _is_missing(value)]
    numbers = [_number(values[row]) for row in rows]
    found: list[str | None] = [None] * len(values)
    quantities = [number for number in numbers if number is not None]
    if len(quantities) < len(rows) or len(set(quantities)) <= MOST_NUMBERS:
        for row in rows:
            found[row] = " ".join(str(values[row]).split())
        return Labels(found)
    for row, label in zip(rows, _ranges(np.array(quantities)), strict=True):
        found[row] = label
    return Labels(found, ranges=True)


def is_numbered(values: Sequence[Any]) -> bool:
    """Whether every value is a whole number and none comes twice: a row number or an id, and no quantity."""
    numbers = [_number(value) for value in values if not _is_missing(value)]
    whole = [number for number in numbers if number is not None and number == int(number)]
    return len(whole) == len(numbers) == len(set(whole))


def _ranges(numbers: np.ndarray[Any, Any]) -> list[str]:
    """Five ranges that hold as many rows each, as nearly as equal numbers allow; called by their ends."""
    edges = np.unique(np.quantile(numbers, np.arange(1, RANGES) / RANGES))
    places = np.searchsorted(edges, numbers, side="left")
    ends = {place: (numbers[places == place].min(), numbers[places == place].max()) for place in np.unique(places)}
    for digits in range(4, 18):
        names = {place: _called(least, most, digits) for place, (least, most) in ends.items()}
        if len(set(names.values())) == len(names):
            break
    return [names[place] for place in places]


def _called(least: float, most: float, digits: int) -> str:
    return _told(least, digits) if least == most else f"{_told(least, digits)} to {_told(most, digits)}"


def _told(number: float, digits: int) -> str:
    return str(int(number)) if number == int(number) else f"{number:.{digits}g}"


def _number(value: Any) -> float | None:
    if isinstance(value, bool | date):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _is_missing(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value.strip())
