"""Vectors to a file, block by block: .npy, or a parquet column of lists."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.types import Vectors

COLUMN = "vector"
EXTENSIONS = (".npy", ".parquet")
PARQUET = {"compression": "zstd", "use_dictionary": False}


@dataclass(frozen=True, slots=True)
class Written:
    """How many rows and columns were written, and how many of the rows hold nothing but zeros."""

    rows: int
    columns: int
    zeros: int


def check_vector_path(path: Path) -> None:
    """Refuse, before any work, a place where vectors could not be written."""
    if path.suffix not in EXTENSIONS:
        raise InputError(f"{path} ends in '{path.suffix}'; expected vectors to go to one of {', '.join(EXTENSIONS)}")
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file to write, {' or '.join(EXTENSIONS)}")


def write_vectors(path: Path, blocks: Iterable[Vectors], *, total: int, scratch: Path) -> Written:
    """Write `total` rows as they come, to `scratch` and then to `path` in one step.

    No more than a block is in memory. Only the owner may read the file.
    """
    check_vector_path(path)
    given = iter(blocks)
    first = next(given, None)
    if first is None:
        raise InputError(f"{path} would hold no vectors; expected at least one text")
    scratch.touch(mode=0o600)
    write: Callable[[Path, Iterable[Vectors], int, int], None] = _npy if path.suffix == ".npy" else _parquet
    zeros = 0

    def counted() -> Iterator[Vectors]:
        nonlocal zeros
        for block in _checked(chain([first], given), first.shape[1], total, path):
            zeros += int((~block.any(axis=1)).sum())
            yield block

    write(scratch, counted(), total, first.shape[1])
    _move(scratch, path)
    return Written(total, int(first.shape[1]), zeros)


def write_tables(path: Path, tables: Sequence[Callable[[], Any]], *, scratch: Path) -> None:
    """Write Arrow tables to one parquet file, a row group each, to `scratch` and then to `path` in one step.

    Each is asked for twice, for its columns and then for its rows, so that no more than one is in memory. Columns whose
    type differs from one to the next are given the type that holds both.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.unify_schemas([table().schema for table in tables], promote_options="permissive")
    scratch.touch(mode=0o600)
    with pq.ParquetWriter(scratch, schema, **PARQUET) as writer:
        for table in tables:
            writer.write_table(table().cast(schema))
    _move(scratch, path)


def _move(scratch: Path, path: Path) -> None:
    with scratch.open("rb") as file:
        os.fsync(file.fileno())
    scratch.replace(path)


def _checked(blocks: Iterable[Vectors], dimension: int, total: int, path: Path) -> Iterator[Vectors]:
    """The blocks, as long as they fit together."""
    rows = 0
    for block in blocks:
        if block.shape[1] != dimension:
            raise InputError(
                f"{path} got vectors of {dimension} and then of {block.shape[1]} columns; "
                "expected one encoder to make them all: delete what the earlier run left and encode again"
            )
        rows += len(block)
        yield block
    if rows != total:
        raise InputError(f"{path} got {rows} vectors for {total} texts; expected one a text, encode again")


def _npy(path: Path, blocks: Iterable[Vectors], total: int, dimension: int) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": (total, dimension)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for block in blocks:
            file.write(np.ascontiguousarray(block, dtype="<f4").tobytes())


def _parquet(path: Path, blocks: Iterable[Vectors], _total: int, dimension: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(COLUMN, pa.list_(pa.float32(), dimension))])
    with pq.ParquetWriter(path, schema, **PARQUET) as writer:
        for block in blocks:
            rows = pa.FixedSizeListArray.from_arrays(pa.array(block.ravel()), dimension)
            writer.write_table(pa.table({COLUMN: rows}, schema=schema))
