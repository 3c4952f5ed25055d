"""Write vectors to a file, block by block: .npy, or parquet with a column of lists."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.files import create_file
from vestige.types import Vectors

COLUMN = "vector"
EXTENSIONS = (".npy", ".parquet")
PARQUET = {"compression": "zstd", "use_dictionary": False}


@dataclass(frozen=True, slots=True)
class WrittenVectors:
    """The number of rows and columns written, and of rows that hold only zeros."""

    rows: int
    columns: int
    zeros: int


def check_vector_path(path: Path) -> None:
    """Raise, before any work, if vectors cannot be written to this path."""
    if path.suffix not in EXTENSIONS:
        raise InputError(f"{path} ends in '{path.suffix}'; expected a file of vectors, one of {', '.join(EXTENSIONS)}")
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file to write, {' or '.join(EXTENSIONS)}")


def write_vectors(
    path: Path,
    blocks: Iterable[Any],
    *,
    total: int,
    scratch: Path,
    others: Iterable[Any] | None = None,
    publish: Callable[[], None] | None = None,
) -> WrittenVectors:
    """Write `total` rows to `scratch`, block by block, call `publish`, and then move it to `path` in one step.

    `others` are Arrow tables of the same rows, cut anywhere; their columns come before the vectors, in parquet only.
    One block is in memory at a time. Only the owner can read the file. Blocks of bytes stay bytes; all other numbers
    become float32.
    """
    check_vector_path(path)
    remaining = iter(blocks)
    first = next(remaining, None)
    if first is None:
        raise InputError(f"{path} would hold no vectors; expected at least one text")
    create_file(scratch)
    zeros = 0

    def counted() -> Iterator[Any]:
        nonlocal zeros
        for block in _check_blocks(chain([first], remaining), first.shape[1], total, path):
            zeros += int((~block.any(axis=1)).sum())
            yield block

    if path.suffix == ".npy":
        _write_npy(scratch, counted(), total, first)
    else:
        _write_parquet(scratch, counted(), first, None if others is None else TableRows(others, path))
    _move(scratch, path, publish)
    return WrittenVectors(total, int(first.shape[1]), zeros)


def write_tables(
    path: Path, tables: Sequence[Callable[[], Any]], *, scratch: Path, publish: Callable[[], None] | None = None
) -> None:
    """Write Arrow tables to `scratch` as one parquet file, call `publish`, and then move it to `path` in one step.

    Each table becomes a row group. It is loaded twice, for its schema and then for its rows, so that one is in memory
    at a time. A column whose type differs between tables gets a type that holds both. The metadata of columns are kept.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.unify_schemas([table().schema for table in tables], promote_options="permissive")
    create_file(scratch)
    with refuse_types(path), pq.ParquetWriter(scratch, schema, **PARQUET) as writer:
        for table in tables:
            writer.write_table(table().cast(schema))
    _move(scratch, path, publish)


@contextmanager
def refuse_types(path: Path) -> Iterator[None]:
    """Raise an error of the input where a column has a type that parquet lacks, such as a union."""
    import pyarrow as pa

    try:
        yield
    except pa.ArrowNotImplementedError as error:
        raise InputError(f"{path} cannot be written ({error}); export the source without that column") from error


def _move(scratch: Path, path: Path, publish: Callable[[], None] | None) -> None:
    with scratch.open("rb") as file:
        os.fsync(file.fileno())
    if publish is not None:
        publish()
    scratch.replace(path)


def _check_blocks(blocks: Iterable[Vectors], dimension: int, total: int, path: Path) -> Iterator[Vectors]:
    """Yield the blocks; raise if their dimension changes or their rows do not add up to `total`."""
    rows = 0
    for block in blocks:
        if block.shape[1] != dimension:
            raise InputError(
                f"{path} got vectors of {dimension} and then of {block.shape[1]} columns; "
                "expected all from one encoder; delete what the earlier run left and encode again"
            )
        rows += len(block)
        yield block
    if rows != total:
        raise InputError(f"{path} got {rows} vectors for {total} texts; expected one per text, encode again")


def _write_npy(path: Path, blocks: Iterable[Any], total: int, first: Any) -> None:
    dtype = _stored_type(first)
    with path.open("wb") as file:
        header = {"descr": dtype.str, "fortran_order": False, "shape": (total, first.shape[1])}
        np.lib.format.write_array_header_1_0(file, header)
        for block in blocks:
            file.write(np.ascontiguousarray(block, dtype=dtype).tobytes())


def _write_parquet(path: Path, blocks: Iterable[Any], first: Any, others: "TableRows | None") -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = pa.from_numpy_dtype(_stored_type(first))
    vectors = pa.field(COLUMN, pa.list_(numbers, first.shape[1]))
    schema = pa.schema([*([] if others is None else others.schema), vectors])
    with refuse_types(path), pq.ParquetWriter(path, schema, **PARQUET) as writer:
        for block in blocks:
            rows = pa.FixedSizeListArray.from_arrays(pa.array(block.ravel()), first.shape[1])
            columns = [] if others is None else others.take(len(block)).columns
            writer.write_table(pa.table([*columns, rows], schema=schema))
    if others is not None:
        others.check_end()


def _stored_type(block: Any) -> np.dtype[Any]:
    return np.dtype(block.dtype if block.dtype.itemsize == 1 else "<f4")


class TableRows:
    """Arrow tables of one schema, handed out in runs of any length."""

    def __init__(self, tables: Iterable[Any], path: Path) -> None:
        self._tables, self._path = iter(tables), path
        self._left = next(self._tables)
        self.schema = self._left.schema

    def take(self, count: int) -> Any:
        """The next `count` rows."""
        import pyarrow as pa

        while len(self._left) < count and (more := next(self._tables, None)) is not None:
            self._left = pa.concat_tables([self._left, more])
        taken, self._left = self._left.slice(0, count).combine_chunks(), self._left.slice(count)
        if len(taken) < count:
            raise self._mismatch("too few")
        return taken

    def check_end(self) -> None:
        """Raise if rows are left."""
        if len(self._left) or any(len(table) for table in self._tables):
            raise self._mismatch("too many")

    def _mismatch(self, found: str) -> InputError:
        return InputError(
            f"{self._path} got {found} rows of other columns for its vectors; do not change the source while it is read"
        )
