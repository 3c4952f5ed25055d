"""Many parquet files as one table: a folder, a glob, or an address such as s3://BUCKET/FOLDER.

Files are in the order of their names. In a folder that Vestige wrote, the manifest names them. Folders such as
`year=2024` are columns, as in Hive.
"""

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import numpy as np

from vestige.engine.filesystems import is_url, open_filesystem, show_url
from vestige.engine.job import SourceChanged
from vestige.engine.parts import MANIFEST, PLAN
from vestige.errors import InputError
from vestige.stores.arrow_files import BUFFER, CountedFile, ParquetTable, check_names

MAGIC = "*?["
MOST_OPEN = 8
READERS = 16
"""Threads that read the footers of the files."""

NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True, slots=True)
class DatasetFile:
    """A file of a dataset: its path in the filesystem, its size and time of change, and the columns of its folders."""

    path: str
    size: int
    changed: int
    folders: tuple[tuple[str, str | None], ...] = ()


def is_dataset(source: object) -> bool:
    """Whether a source is a folder of parquet files, a glob, or an address."""
    if is_url(source):
        return True
    text = str(source)
    if Path(text).exists() or ":" in text:
        return Path(text).is_dir()
    return any(mark in text for mark in MAGIC)


def list_files(source: str) -> list[DatasetFile]:
    """The files of a dataset in order. Raise if there are none, or if a run is still writing them."""
    files = _list_remote(source) if is_url(source) else _list_local(source)
    if not files:
        raise InputError(f"{show_source(source)} has no parquet file; expected at least one that ends in .parquet")
    return files


def show_source(source: str) -> str:
    """How messages name a source: an address without credentials, or the path."""
    return show_url(source) if is_url(source) else source


def _list_local(source: str) -> list[DatasetFile]:
    base = Path(source)
    if base.is_dir():
        listed = _read_manifest(
            source, [path.name for path in base.glob("_*")], lambda name: (base / name).read_bytes()
        )
        found = [base / name for name in listed] if listed is not None else sorted(base.rglob("*.parquet"))
        kept = [path for path in found if not _is_hidden(path.relative_to(base).as_posix())]
    else:
        base = Path(_find_fixed(source))
        found = sorted(base.glob(source.removeprefix(_find_fixed(source)).lstrip("/")))
        kept = [path for path in found if path.is_file() and not _is_hidden(path.relative_to(base).as_posix())]
    files = []
    for path in kept:
        try:
            state = path.stat()
        except OSError as error:
            raise InputError(
                f"{path} cannot be read ({error.strerror}); restore it, or write the folder again"
            ) from None
        folders = _parse_folders(path.relative_to(base).as_posix() if path.is_relative_to(base) else path.name)
        files.append(DatasetFile(str(path), state.st_size, state.st_mtime_ns, folders))
    return files


def _list_remote(source: str) -> list[DatasetFile]:
    import pyarrow as pa
    from pyarrow.fs import FileSelector, FileType

    address, question, query = source.partition("?")
    fixed = _find_fixed(address)
    filesystem, base = open_filesystem(fixed + question + query)
    pattern = f"{base.rstrip('/')}/{address.removeprefix(fixed).lstrip('/')}" if fixed != address else None
    try:
        if filesystem.get_file_info(base).type == FileType.File:
            infos = [filesystem.get_file_info(base)]
        else:
            infos = filesystem.get_file_info(FileSelector(base, recursive=True))
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{show_url(source)} cannot be listed ({error}); check the address, the permissions and the connection"
        ) from None
    here = {PurePosixPath(info.path).relative_to(base).as_posix(): info for info in infos if info.type == FileType.File}
    if list(here) == ["."]:
        return [_describe(infos[0], "")]
    listed = None
    if pattern is None:
        names = [name for name in here if "/" not in name]
        listed = _read_manifest(source, names, lambda name: _read_small(filesystem, here[name].path))
    wanted = listed if listed is not None else sorted(name for name in here if name.endswith(".parquet"))
    missing = [name for name in wanted if name not in here]
    if missing:
        raise InputError(f"{show_url(source)} lacks {missing[0]}, which its manifest lists; restore it")
    return [
        _describe(here[name], name)
        for name in wanted
        if not _is_hidden(name) and (pattern is None or fnmatch(here[name].path, pattern))
    ]


def _describe(info: Any, name: str) -> DatasetFile:
    return DatasetFile(info.path, int(info.size), int(info.mtime_ns or 0), _parse_folders(name))


def _read_small(filesystem: Any, path: str) -> bytes:
    with filesystem.open_input_stream(path) as stream:
        content: bytes = stream.read()
        return content


def _read_manifest(source: str, names: Sequence[str], read: Any) -> list[str] | None:
    """The parts that the manifest of a folder lists; None if Vestige did not write the folder."""
    if MANIFEST not in names:
        if PLAN in names:
            raise InputError(
                f"{show_source(source)} is incomplete: a run that writes it has not finished; run its command again"
            )
        return None
    try:
        return [str(part["name"]) for part in json.loads(read(MANIFEST))["parts"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{show_source(source)}/{MANIFEST} is damaged ({error}); write the folder again") from None


def _find_fixed(source: str) -> str:
    """The part of a glob before the first folder with a wildcard."""
    if not any(mark in source for mark in MAGIC):
        return source
    first = min(source.index(mark) for mark in MAGIC if mark in source)
    return source[:first].rpartition("/")[0] or ("/" if source.startswith("/") else ".")


def _is_hidden(name: str) -> bool:
    return any(segment.startswith(("_", ".")) for segment in name.split("/"))


def _parse_folders(name: str) -> tuple[tuple[str, str | None], ...]:
    """The columns of folders such as `year=2024/`."""
    pairs = (segment.partition("=") for segment in name.split("/")[:-1] if "=" in segment)
    return tuple((key, None if value == NULL else unquote(value)) for key, _, value in pairs)


class DatasetTable(ParquetTable):
    """The row groups of all files, one after the other."""

    def __init__(self, source: str) -> None:
        self.place, self._source = show_source(source), source
        self._files = list_files(source)
        self._filesystem = _open_filesystem_of(source)
        self._opened: OrderedDict[int, Any] = OrderedDict()
        self._sources: dict[int, CountedFile] = {}
        with ThreadPoolExecutor(READERS) as pool:
            footers = list(pool.map(self._read_footer, range(len(self._files))))
        self._groups = [(number, group) for number, (sizes, _) in enumerate(footers) for group in range(len(sizes))]
        self._starts = np.cumsum([0, *(size for sizes, _ in footers for size in sizes)])
        self._homes = np.array([number for number, _ in self._groups])
        self.rows = int(self._starts[-1])
        self._own = _check_schemas(self._files, [schema for _, schema in footers])
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
            info = self._filesystem.get_file_info(self._files[number].path)
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
                yield self._add_folder_columns(rows, number, names)
        except (pa.ArrowException, OSError, ValueError) as error:
            self._opened.pop(number, None)
            raise InputError(
                f"{self._show(number)} cannot be read ({error}); expected a complete parquet file that does not change"
            ) from None

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
            raise InputError(f"{self._show(number)} is not a parquet file ({error}); expected parquet") from None

    def _read_footer(self, number: int) -> tuple[list[int], Any]:
        """The rows of each row group, and the schema."""
        file = self._open_file(number)
        try:
            metadata = file.metadata
            sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
            if min(sizes, default=0) < 0 or metadata.num_rows != sum(sizes):
                raise InputError(f"{self._show(number)} declares other rows than its parts; write it again")
            return sizes, file.schema_arrow.remove_metadata()
        finally:
            file.close()

    def _show(self, number: int) -> str:
        path = self._files[number].path
        return f"{self._source.partition('://')[0]}://{path}" if is_url(self._source) else path


def _open_filesystem_of(source: str) -> Any:
    from pyarrow.fs import LocalFileSystem

    if not is_url(source):
        return LocalFileSystem()
    address, question, query = source.partition("?")
    return open_filesystem(_find_fixed(address) + question + query)[0]


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
