"""Rows of a .npy file, read when they are needed. Pages of a memory map would count as memory of the process."""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.types import Integers


class FileRows:
    """A matrix in a file, in row-major order; slices and lists of rows are read into arrays of their own."""

    def __init__(self, mapped: Any) -> None:
        self._path, self._offset = Path(mapped.filename), int(mapped.offset)
        self.shape: tuple[int, ...] = mapped.shape
        self.dtype: np.dtype[Any] = mapped.dtype
        self._row_bytes = int(mapped.itemsize * mapped.shape[1])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice | Integers) -> Any:
        with self._path.open("rb", buffering=0) as file:
            if isinstance(rows, slice):
                start, stop, _ = rows.indices(len(self))
                return self._read(file.fileno(), start, max(start, stop))
            found = np.empty((len(rows), self.shape[1]), self.dtype)
            for first, last in _find_runs(rows):
                found[first:last] = self._read(file.fileno(), int(rows[first]), int(rows[last - 1]) + 1)
            return found

    def _read(self, file: int, start: int, stop: int) -> Any:
        found = np.empty((stop - start, self.shape[1]), self.dtype)
        content, done = found.reshape(-1).view(np.uint8).data, 0
        while done < len(content):
            count = os.preadv(file, [content[done:]], self._offset + start * self._row_bytes + done)
            if not count:
                raise InputError(f"{self._path} became shorter while it was read; expected {len(self):,} rows")
            done += count
        return found


def _find_runs(rows: Integers) -> list[tuple[int, int]]:
    """Places of rows that follow each other."""
    if not len(rows):
        return []
    ends = np.flatnonzero(np.diff(rows) != 1) + 1
    cuts = [0, *ends.tolist(), len(rows)]
    return list(pairwise(cuts))
