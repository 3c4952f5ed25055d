"""Many parquet files as one table; `dataset_files` finds them."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from vestige.engine.filesystems import hide_credentials, is_url
from vestige.engine.job import SourceChanged, Unreachable
from vestige.errors import InputError
from vestige.stores.arrow_columns import as_plain, plain_schema
from vestige.stores.arrow_files import BUFFER, CountedFile, ParquetTable, check_names
from vestige.stores.dataset_files import DatasetFile, list_files, open_filesystem_of, show_source

MOST_OPEN = 8
READERS = 16
"""Threads that read the footers of the files."""


@dataclass(frozen=True)
class Layout:
    """The files of a dataset, the rows of each of their row groups, and their common schema."""

    files: tuple[DatasetFile, ...]
    groups: tuple[tuple[int, ...], ...]
    schema: Any


class DatasetTable(ParquetTable):
    """The row groups of all files, one after the other.

    The `layout` of a dataset that is open elsewhere saves listing the files and reading their footers again.
    """

    def __init__(self, source: str, layout: Layout | None = None) -> None:
        self.place, self._source = show_source(source), source
        self._files = tuple(list_files(source)) if layout is None else layout.files
        self._filesystem = open_filesystem_of(source)
        self._opened: OrderedDict[int, Any] = OrderedDict()
        self._sources: dict[int, CountedFile] = {}
        self.layout = layout = self._read_layout() if layout is None else layout
        self._groups = [(number, group) for number, sizes in enumerate(layout.groups) for group in range(len(sizes))]
        self._starts = np.cumsum([0, *(size for sizes in layout.groups for size in sizes)])
        self._homes = np.array([number for number, _ in self._groups])
        self.rows = int(self._starts[-1])
        self._own = layout.schema
        self._extra = _build_folder_columns(self._files, self._own.names, self.place)
        self.schema = self._own
        for name, values in self._extra.items():
            self.schema = self.schema.append(_field(name, values))

    def close(self) -> None:
        """Close the files."""
        for opened in self._opened.values():
            opened.close()
        self._opened.clear()

    def check_files(self, start: int, stop: int) -> None:
        """Compare size and time of change of the files with those that were listed."""
        groups = self._find_groups(np.array([start, stop - 1]))
        for number in range(int(self._homes[groups[0]]), int(self._homes[groups[1]]) + 1):
            try:
                info = self._filesystem.get_file_info(self._files[number].path)
            except OSError as error:
                raise self._explain(error, number, "cannot be read", "a file that does not change") from None
            if (info.size, int(info.mtime_ns or 0)) != (self._files[number].size, self._files[number].changed):
                raise SourceChanged(
                    f"{self._show(number)} changed while {self.place} was read; nothing was written; run the same "
                    "command again when it no longer changes"
                )

    def _together(self, start: int, other: int) -> bool:
        """Rows of one file."""
        home, other_home = self._homes[self._find_groups(np.array([start, other]))]
        return bool(home == other_home)

    def _read(self, group: int, names: Sequence[str], size: int) -> Iterator[Any]:
        import pyarrow as pa

        number, local = self._groups[group]
        file = self._open(number)
        own = [name for name in names if name not in self._extra]
        try:
            for rows in file.iter_batches(size, row_groups=[local], columns=own, use_threads=False):
                self._count(number)
                yield self._add_folder_columns(as_plain(rows), number, names)
        except (pa.ArrowException, OSError, ValueError) as error:
            self._opened.pop(number, None)
            expected = "a complete parquet file that does not change"
            raise self._explain(error, number, "cannot be read", expected) from None

    def _add_folder_columns(self, rows: Any, number: int, names: Sequence[str]) -> Any:
        import pyarrow as pa

        arrays = {name: rows.column(name) for name in rows.schema.names}
        for name in names:
            if name in self._extra:
                value = pa.scalar(self._extra[name][number], self.schema.field(name).type)
                arrays[name] = pa.repeat(value, rows.num_rows)
        schema = pa.schema([self.schema.field(name) for name in names])
        return pa.RecordBatch.from_arrays([arrays[name] for name in names], schema=schema)

    def _count(self, number: int) -> None:
        """Add what was read of a file since the last time."""
        source = self._sources[number]
        self.bytes_read = (self.bytes_read or 0) + source.count
        source.count = 0

    def _open(self, number: int) -> Any:
        """The open file; the one that was used longest ago is closed if there are many."""
        if number not in self._opened:
            self._opened[number] = self._open_file(number)
            if len(self._opened) > MOST_OPEN:
                self._opened.popitem(last=False)[1].close()
        self._opened.move_to_end(number)
        return self._opened[number]

    def _open_file(self, number: int) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            content = self._sources[number] = CountedFile(self._filesystem.open_input_file(self._files[number].path))
            file = pq.ParquetFile(content, buffer_size=BUFFER, pre_buffer=False)
            check_names(file.schema_arrow)
            content.count = 0
            return file
        except (pa.ArrowException, OSError, ValueError) as error:
            raise self._explain(error, number, "is not a parquet file", "parquet") from None

    def _explain(self, error: Exception, number: int, problem: str, expected: str) -> InputError:
        """What is wrong with a file, or with the connection to where it is."""
        file, reason = self._show(number), hide_credentials(error, self._source)
        if is_url(self._source) and isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            return Unreachable(f"{file} cannot be read ({reason}); check the file, the permissions and the connection")
        return InputError(f"{file} {problem} ({reason}); expected {expected}")

    def _read_layout(self) -> Layout:
        with ThreadPoolExecutor(READERS) as pool:
            footers = list(pool.map(self._read_footer, range(len(self._files))))
        schema = _check_schemas(self._files, [schema for _, schema in footers])
        return Layout(self._files, tuple(tuple(sizes) for sizes, _ in footers), schema)

    def _read_footer(self, number: int) -> tuple[list[int], Any]:
        """The rows of each row group, and the schema."""
        file = self._open_file(number)
        try:
            metadata = file.metadata
            sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
            if min(sizes, default=0) < 0 or metadata.num_rows != sum(sizes):
                raise InputError(f"{self._show(number)} declares other rows than its parts; write it again")
            return sizes, plain_schema(file.schema_arrow).remove_metadata()
        finally:
            file.close()

    def _show(self, number: int) -> str:
        path = self._files[number].path
        return f"{self._source.partition('://')[0]}://{path}" if is_url(self._source) else path


def _check_schemas(files: Sequence[DatasetFile], schemas: Sequence[Any]) -> Any:
    """The schema of the first file; raise if another file has other columns or types."""
    first = schemas[0]
    for file, schema in zip(files, schemas, strict=True):
        if not schema.equals(first):
            other = next(
                (name for name in first.names if name not in schema.names or schema.field(name) != first.field(name)),
                next((name for name in schema.names if name not in first.names), "the order of its columns"),
            )
            raise InputError(
                f"{file.path} differs from {files[0].path} in '{other}'; expected the same columns and types in all "
                "files, name those that belong together"
            )
    return first


def _build_folder_columns(
    files: Sequence[DatasetFile], taken: Sequence[str], place: str
) -> dict[str, list[str | int | None]]:
    """One value per file for every column that folders define; whole numbers if all values are."""
    keys = [tuple(key for key, _ in file.folders) for file in files]
    if len(set(keys)) > 1:
        raise InputError(
            f"{place} has files in folders of different columns ({keys[0]}, ...); expected the same in all"
        )
    columns: dict[str, list[str | int | None]] = {}
    for index, key in enumerate(keys[0]):
        if key in taken:
            continue
        values = [file.folders[index][1] for file in files]
        whole = all(value is None or value.isdecimal() for value in values)
        columns[key] = [int(value) if whole and value is not None else value for value in values]
    return columns


def _field(name: str, values: Sequence[str | int | None]) -> Any:
    import pyarrow as pa

    return pa.field(name, pa.string() if any(isinstance(value, str) for value in values) else pa.int64())
