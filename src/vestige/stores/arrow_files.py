"""Vectors in columnar files: parquet, and Arrow's own format (.arrow, .feather). Vectors are a column of lists."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_columns import as_plain, is_vector_type, plain_schema
from vestige.stores.table import Positions, VectorTable, draw_rows
from vestige.text.formats import ROWS_AT_ONCE, join_batches

MOST_GROUPS = 64
"""Row groups are read whole. A sample that would touch more of them is drawn from this many instead."""

BUFFER = 2**20
"""Bytes per column in memory at a time: a row group may be larger than the memory."""


class ParquetTable(VectorTable):
    """A parquet file. Only the columns and row groups that are used are read."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.place = str(path)
        try:
            self._counted = CountedFile(path.open("rb", buffering=0))
            self._file = pq.ParquetFile(self._counted, buffer_size=BUFFER, pre_buffer=False)
            metadata, self.schema = self._file.metadata, plain_schema(self._file.schema_arrow)
            check_names(self.schema)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"{path} is not a parquet file ({error}); expected parquet") from error
        self.rows, self._counted.count = metadata.num_rows, 0
        sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        if min(sizes, default=0) < 0 or self.rows != sum(sizes):
            raise InputError(f"{path} declares {self.rows:,} rows, and its parts declare others; write it again")
        self._starts = np.cumsum([0, *sizes])

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Positions, bool]:
        """Draw uniformly over rows; if that touches too many groups, draw groups by size, then rows within each."""
        positions = draw_rows(self.rows, n, rng)
        if n >= self.rows or len(set(self._find_groups(positions))) <= MOST_GROUPS:
            return positions, False
        groups, shares = np.unique(self._find_groups(rng.integers(self.rows, size=MOST_GROUPS)), return_counts=True)
        counts = rng.multinomial(n, shares / MOST_GROUPS)
        starts, sizes = self._starts[groups], np.diff(self._starts)[groups]
        parts = [start + draw_rows(size, count, rng) for start, size, count in zip(starts, sizes, counts, strict=True)]
        return np.concatenate(parts), True

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Read the rows from each row group that holds any of them."""
        import pyarrow as pa

        groups = self._find_groups(positions)
        batches = [
            rows
            for group in np.unique(groups)
            for rows in self._take_from(int(group), positions[groups == group] - self._starts[group], names)
        ]
        if sum(map(len, batches)) != len(positions):
            raise InputError(
                f"{self.place} declares {self.rows:,} rows, and has others; expected a complete parquet file, "
                "write it again"
            )
        return pa.Table.from_batches(batches)

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Read group by group, `size` rows in memory at a time."""
        for group in range(len(self._starts) - 1):
            yield from join_batches(self._read(group, names, size), size)

    def cut(self, rows: int) -> list[tuple[int, int]]:
        """Cut between row groups: several small ones together, a large one alone."""
        ranges: list[tuple[int, int]] = []
        for start, stop in pairwise(self._starts.tolist()):
            if ranges and stop - ranges[-1][0] <= rows and self._together(ranges[-1][0], start):
                ranges[-1] = ranges[-1][0], stop
            elif stop > start:
                ranges.append((start, stop))
        return ranges

    def _together(self, start: int, other: int) -> bool:  # noqa: ARG002
        """Whether two rows may be in one range."""
        return True

    def read(self, start: int, stop: int, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Read the row groups that have these rows, `size` rows in memory at a time."""
        import pyarrow as pa

        first_group, last_group = self._find_groups(np.array([start, stop - 1])).tolist()
        for group in range(first_group, last_group + 1):
            first = int(self._starts[group])
            for rows in self._read(group, names, size):
                skipped, end = max(0, start - first), min(rows.num_rows, stop - first)
                first += rows.num_rows
                if skipped < end:
                    yield pa.Table.from_batches([rows.slice(skipped, end - skipped)])

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _find_groups(self, positions: Positions) -> Any:
        return np.searchsorted(self._starts, positions, side="right") - 1

    def _take_from(self, group: int, offsets: Positions, names: Sequence[str]) -> Iterator[Any]:
        """Yield the rows at ascending offsets of a group, reading no further than the last of them."""
        start = 0
        for rows in self._read(group, names, ROWS_AT_ONCE):
            here = offsets[(offsets >= start) & (offsets < start + rows.num_rows)]
            if len(here):
                yield rows.take(here - start)
            start += rows.num_rows
            if start > offsets[-1]:
                return

    def _read(self, group: int, names: Sequence[str], size: int) -> Iterator[Any]:
        import pyarrow as pa

        try:
            size = min(size, ROWS_AT_ONCE)
            for rows in self._file.iter_batches(size, row_groups=[group], columns=list(names), use_threads=False):
                self.bytes_read = self._counted.count
                yield as_plain(rows)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"{self.place} cannot be read ({error}); expected a complete parquet file") from error


def check_names(schema: Any) -> None:
    """Raise ValueError if the name of a column is not UTF-8, or if two columns have the same."""
    for name in schema.names:
        name.encode()
    twice = [name for name, count in Counter(schema.names).items() if count > 1]
    if twice:
        raise ValueError(f"two columns have the name '{twice[0]}'")


class CountedFile:
    """A file for Arrow that counts what is read.

    The description of a column in a row group states its size as well, but Arrow ends the process if it is damaged.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self.count = 0
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        content: bytes = self._file.read(size)
        self.count += len(content)
        return content

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        """The place."""
        return int(self._file.tell())

    def close(self) -> None:
        """Close the file."""
        self.closed = True
        self._file.close()


class ArrowTable(VectorTable):
    """An Arrow file, memory-mapped. Only the record batches and columns that are used are read."""

    bytes_read = None

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self.place = str(path)
        try:
            self._source = pa.memory_map(str(path))
            reader = pa.ipc.open_file(self._source)
            self.schema = plain_schema(reader.schema)
            check_names(self.schema)
            plain = [field.name for field in self.schema if not is_vector_type(field.type)]
            cheap = plain[:1] or self.schema.names[:1]
            sizes = [self._read(number, cheap).num_rows for number in range(reader.num_record_batches)]
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(
                f"{path} is not a complete Arrow file ({error}); expected the file format, not a stream"
            ) from error
        self._starts = np.cumsum([0, *sizes])
        self.rows = int(self._starts[-1])

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Read the rows from each record batch that holds any of them."""
        import pyarrow as pa

        homes = np.searchsorted(self._starts, positions, side="right") - 1
        parts = [
            self._read(int(number), names).take(pa.array(positions[homes == number] - self._starts[number]))
            for number in np.unique(homes)
        ]
        return pa.Table.from_batches(parts).select(list(names))

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Read one record batch at a time, and yield it in slices."""
        import pyarrow as pa

        for number in range(len(self._starts) - 1):
            rows = pa.Table.from_batches([self._read(number, names)]).select(list(names))
            for start in range(0, len(rows), size):
                yield rows.slice(start, size)

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def _read(self, number: int, names: Sequence[str]) -> Any:
        import pyarrow as pa

        fields = sorted(self.schema.get_field_index(name) for name in names)
        options = pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        return as_plain(pa.ipc.open_file(self._source, options=options).get_batch(number))
