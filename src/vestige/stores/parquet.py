"""Vectors in parquet: a column of lists, read a row group at a time."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.table import Places, Table, drawn

PAGE = 2**20
"""Bytes read at a time. A file mapped into memory would count as memory, and a column read ahead would be memory."""

MOST_GROUPS = 64
"""Row groups are read whole; a sample that touches more of them is drawn from so many instead."""


class ParquetTable(Table):
    """A parquet file; of its columns and row groups, those that are asked for are read."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.place = str(path)
        try:
            self._file = pq.ParquetFile(path, buffer_size=PAGE, pre_buffer=False)
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{path} is not a parquet file ({error}); expected parquet") from error
        book = self._file.metadata
        self.rows, self.schema = book.num_rows, self._file.schema_arrow
        self._starts = np.cumsum([0, *(book.row_group(group).num_rows for group in range(book.num_row_groups))])

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Places, bool]:
        """Uniform over rows; where that touched too many groups, groups by their size, then rows within each."""
        places = drawn(self.rows, n, rng)
        if n >= self.rows or len(set(self._groups(places))) <= MOST_GROUPS:
            return places, False
        groups, shares = np.unique(self._groups(rng.integers(self.rows, size=MOST_GROUPS)), return_counts=True)
        wanted = rng.multinomial(n, shares / MOST_GROUPS)
        starts, sizes = self._starts[groups], np.diff(self._starts)[groups]
        parts = [start + drawn(size, part, rng) for start, size, part in zip(starts, sizes, wanted, strict=True)]
        return np.concatenate(parts), True

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows out of each row group that holds any of them."""
        import pyarrow as pa

        groups = self._groups(places)
        return pa.concat_tables(
            [self._read(int(g), names).take(places[groups == g] - self._starts[g]) for g in np.unique(groups)]
        )

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """A few pages of a row group in memory at a time: a group may hold a million rows."""
        import pyarrow as pa

        for group in range(len(self._starts) - 1):
            self._count(group, names)
            try:
                for rows in self._file.iter_batches(size, row_groups=[group], columns=list(names), use_threads=False):
                    yield pa.Table.from_batches([rows])
            except (pa.ArrowException, OSError) as error:
                raise self._damaged(error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _groups(self, places: Places) -> Any:
        return np.searchsorted(self._starts, places, side="right") - 1

    def _read(self, group: int, names: Sequence[str]) -> Any:
        import pyarrow as pa

        self._count(group, names)
        try:
            return self._file.read_row_group(group, columns=list(names), use_threads=False)
        except (pa.ArrowException, OSError) as error:
            raise self._damaged(error) from error

    def _count(self, group: int, names: Sequence[str]) -> None:
        """Add what these columns of a row group take to what was read."""
        book = self._file.metadata.row_group(group)
        columns = [book.column(place) for place in range(book.num_columns)]
        self.bytes_read = (self.bytes_read or 0) + sum(
            column.total_compressed_size for column in columns if column.path_in_schema.split(".")[0] in names
        )

    def _damaged(self, error: Exception) -> InputError:
        return InputError(f"{self.place} cannot be read ({error}); expected a whole parquet file")
