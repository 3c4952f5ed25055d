"""Which days there are."""

from collections.abc import Sequence

import numpy as np

from vestige.types import Integers

_LENGTHS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def real_dates(years: Sequence[int], months: Sequence[int], days: Sequence[int]) -> Integers:
    """The combinations that are days of the calendar, a row each: places in `years`, in `months` and in `days`."""
    year, month, day = np.meshgrid(years, months, days, indexing="ij")
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    in_year = (month >= 1) & (month <= 12)
    length = _LENGTHS[np.where(in_year, month, 1) - 1] + (leap & (month == 2))
    return np.argwhere(in_year & (day >= 1) & (day <= length))
