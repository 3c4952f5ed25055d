"""Batches of texts of equal length.

With nothing to pad, no arithmetic is spent on padding, and a vector comes out the same to the last bit whatever
travels beside it. That is what lets an interrupted run end exactly as an undisturbed one.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby


def equal_length_batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Row numbers in batches of at most `size`, all of one length, the longest first."""
    by_length = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    for _, rows in groupby(by_length, key=lengths.__getitem__):
        group = list(rows)
        for start in range(0, len(group), size):
            yield group[start : start + size]
