"""Blocks of rows from a parquet file, a page of each column in memory at a time."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from vestige.errors import InputError
from vestige.text.block import Block, check_names, wanted
from vestige.text.lines import opened

# Arrow else holds a row group, or by its read-ahead the file: these two bound it by a page a column.
BOUNDED = {"buffer_size": 2**16, "pre_buffer": False}


def parquet_blocks(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """The columns that are not nested. A gzipped file is unpacked to a temporary one: parquet is read from its end."""
    import pyarrow as pa

    with _plain(path) as plain, _parquet_file(path, plain) as file:
        flat = [field.name for field in file.schema_arrow if not pa.types.is_nested(field.type)]
        check_names(path, flat)
        names = wanted(flat, only)
        try:
            for batch in file.iter_batches(size, columns=names, use_threads=False):
                yield Block(batch.num_rows, {name: batch.column(name).to_pylist() for name in names})
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read ({error}); expected a readable file") from error


@contextmanager
def _plain(path: Path) -> Iterator[Path | IO[bytes]]:
    if path.suffix != ".gz":
        yield path
        return
    with TemporaryFile() as plain:
        with opened(path) as content:
            shutil.copyfileobj(content, plain)
        yield plain


def _parquet_file(path: Path, plain: Path | IO[bytes]) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(plain, **BOUNDED)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path} is not a parquet file ({error}); expected parquet") from error
