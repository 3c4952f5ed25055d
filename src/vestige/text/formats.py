"""Read txt, jsonl, csv and parquet files, gzipped or not, as blocks of rows, so that a file of any size fits in memory.

`read_blocks` picks the reader by the ending of the file name.
"""

import codecs
import csv
import gzip
import io
import json
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any, TypeVar

from vestige.errors import InputError
from vestige.memory import check_memory, format_bytes, memory_limit

CHUNK = 2**16
SPARE_BYTES = 2**26
LONGEST_VALUE = 2**31 - 1
LONGEST_LINE = 2**27
"""A file of a few kilobytes may unpack to one line of gigabytes."""

ROWS_AT_ONCE, BYTES_AT_ONCE = 1024, 2**28
"""Rows that are unpacked from parquet at a time; of one value that repeats, a file needs no space for the copies."""

# By default Arrow holds a whole row group, or the whole file when it reads ahead. These options limit it to one page
# per column.
BOUNDED_MEMORY = {"buffer_size": 2**16, "pre_buffer": False}

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows of a file, by column. A column that none of these rows has is missing from `columns`."""

    rows: int
    columns: dict[str, list[Any]]

    def column(self, name: str) -> list[Any]:
        """The values of a column, one per row; all None where the column is missing."""
        return self.columns.get(name) or [None] * self.rows


# A reader takes the path, the maximum number of rows in a block, and the only column to read (None for all).
Reader = Callable[[Path, int, str | None], Iterator[Block]]


def read_blocks(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """The rows of a file in order, at most `size` of them in memory; with `only`, just that column."""
    suffix = find_format(path)
    if suffix not in FORMATS:
        raise InputError(
            f"{path} ends in '{suffix or path.suffix}'; expected one of {', '.join(FORMATS)}, each also with .gz"
        )
    check_not_empty(path)
    return FORMATS[suffix](path, size, only)


def find_format(path: Path) -> str:
    """The ending that says how a file is read, without .gz."""
    return next((part for part in reversed(path.suffixes) if part != ".gz"), "")


def join_blocks(blocks: Iterable[Block]) -> Block:
    """All rows in one block."""
    parts, held = [], 0
    for part in blocks:
        held += sum(len(value) for values in part.columns.values() for value in values if isinstance(value, str))
        check_memory(held, "reading all texts", "give fewer texts")
        parts.append(part)
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns = {name: list(chain.from_iterable(part.column(name) for part in parts)) for name in names}
    return Block(sum(part.rows for part in parts), columns)


def batched_rows(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    """The rows in lists of `size`; the last list may be shorter."""
    source = iter(rows)
    return iter(lambda: list(islice(source, size)), [])


def read_txt(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """One text per line, as column "text". Blank lines and white space around a text are dropped."""
    texts = filter(None, map(str.strip, read_lines(path, "\n")))
    for batch in batched_rows(texts, size):
        yield Block(len(batch), dict.fromkeys(_select_columns(["text"], only), batch))


def read_jsonl(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """One JSON object per line. Blank lines are skipped; a key that a row lacks is None there."""
    lines = enumerate(read_lines(path, "\n"), 1)
    rows = (_parse_json_object(path, number, line) for number, line in lines if line.strip())
    for batch in batched_rows(rows, size):
        names = _select_columns(dict.fromkeys(chain.from_iterable(batch)), only)
        yield Block(len(batch), {name: [row.get(name) for row in batch] for name in names})


def _parse_json_object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line.rstrip("\n"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} line {number} is not JSON ({error}); expected one JSON object per line") from error
    if not isinstance(row, dict):
        raise InputError(f"{path} line {number} holds a {type(row).__name__}; expected one JSON object per line")
    return row


def read_csv(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """Comma-separated values with a header. Every row is as long as the header; empty lines are skipped."""
    rows = _read_csv_rows(path)
    header = next(rows, None)
    first = next(rows, None)
    if header is None or first is None:
        raise InputError(
            f"{path} has {'no line' if header is None else '1 line'}; expected a header and at least one row"
        )
    _check_column_names(path, header)
    places = {name: header.index(name) for name in _select_columns(header, only)}
    for batch in batched_rows(chain([first], rows), size):
        yield Block(len(batch), {name: [row[place] for row in batch] for name, place in places.items()})


def _read_csv_rows(path: Path) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_VALUE)
    reader = csv.reader(_read_comma_lines(path), strict=True)
    width = 0
    try:
        for row in filter(None, reader):
            width = width or len(row)
            if len(row) != width:
                problem = f"{path} line {reader.line_num} has {len(row)} values, the header has {width}"
                raise InputError(f"{problem}; fix the line")
            yield row
    except csv.Error as error:
        raise InputError(
            f"{path} line {reader.line_num} is not CSV ({error}); expected comma-separated values"
        ) from error


def _read_comma_lines(path: Path) -> Iterator[str]:
    lines = read_lines(path, "")
    header = next(lines, "")
    if "," not in header and (other := next((mark for mark in ";\t|" if mark in header), None)):
        raise InputError(f"{path} appears to be separated by {other!r}; save it as comma-separated values")
    yield header
    yield from lines


def read_parquet(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """The columns that are not nested, one page per column in memory.

    A gzipped file is unpacked to a temporary file, because parquet is read from its end.
    """
    import pyarrow as pa

    with open_parquet(path) as file:
        flat = [field.name for field in file.schema_arrow if not pa.types.is_nested(field.type)]
        _check_column_names(path, flat)
        names = _select_columns(flat, only)
        try:
            for batch in join_batches(
                file.iter_batches(min(size, ROWS_AT_ONCE), columns=names, use_threads=False), size
            ):
                yield Block(batch.num_rows, {name: list_objects(batch.column(name)) for name in names})
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            raise InputError(f"{path} cannot be read ({error}); expected a readable file") from error


def join_batches(batches: Iterable[Any], size: int) -> Iterator[Any]:
    """Tables of at most `size` rows from record batches of at most `ROWS_AT_ONCE`; of fewer if the rows are large."""
    import pyarrow as pa

    gathered: list[Any] = []
    for batch in batches:
        rows, held = sum(map(len, gathered)), sum(part.nbytes for part in gathered)
        if gathered and (rows + len(batch) > size or held > BYTES_AT_ONCE):
            yield pa.Table.from_batches(gathered)
            gathered = []
        gathered.append(batch)
    if gathered:
        yield pa.Table.from_batches(gathered)


def list_objects(column: Any) -> list[Any]:
    """The values of an Arrow column as Python objects. Rows of a value that Arrow stores once share one object.

    A kilobyte of parquet may say that twenty thousand rows hold the same megabyte.
    """
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        values: list[Any] = column.to_pylist()
        return values
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return [value for chunk in chunks for value in _list_repeated(chunk)]


def _list_repeated(chunk: Any) -> list[Any]:
    values = [*chunk.dictionary.to_pylist(), None]
    return [values[-1 if index is None else index] for index in chunk.indices.to_pylist()]


@contextmanager
def open_parquet(path: Path) -> Iterator[Any]:
    """Open a parquet file, gzipped or not, so that one page per column is in memory."""
    with _unpack_parquet(path) as plain, _open_parquet(path, plain) as file:
        yield file


@contextmanager
def _unpack_parquet(path: Path) -> Iterator[Path | IO[bytes]]:
    if path.suffix != ".gz":
        yield path
        return
    with TemporaryFile() as plain:
        _unpack(path, plain)
        yield plain


def _unpack(path: Path, plain: IO[bytes]) -> None:
    """Unpack a gzipped file; raise before it fills the disk, or what takes its place in memory."""
    most = min(memory_limit(), shutil.disk_usage(gettempdir()).free - SPARE_BYTES)
    with open_file(path) as content:
        for chunk in iter(lambda: content.read(CHUNK), b""):
            if plain.tell() + len(chunk) > most:
                raise InputError(
                    f"{path} unpacks to more than {format_bytes(max(most, 0))}; unpack it yourself, or set TMPDIR to a "
                    "folder with enough space and raise the limit with --memory"
                )
            plain.write(chunk)


def _open_parquet(path: Path, plain: Path | IO[bytes]) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(plain, **BOUNDED_MEMORY)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{path} is not a parquet file ({error}); expected parquet") from error


FORMATS: dict[str, Reader] = {
    ".txt": read_txt,
    ".jsonl": read_jsonl,
    ".csv": read_csv,
    ".parquet": read_parquet,
}


@contextmanager
def open_file(path: Path) -> Iterator[gzip.GzipFile | io.BufferedReader]:
    """Open a file for reading bytes, unzipped if it ends in .gz; an error raised while it is open names the file."""
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file; check the path")
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as content:
            yield content
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read ({error}); expected a readable file") from error


def check_not_empty(path: Path) -> None:
    """Raise if a file has no content, or only white space."""
    with open_file(path) as content:
        if not any(chunk.strip() for chunk in iter(lambda: content.read(CHUNK), b"")):
            raise InputError(f"{path} is empty; expected at least one text")


def read_lines(path: Path, newline: str) -> Iterator[str]:
    r"""The lines of a UTF-8 file with their line ends. With "\n" only a line feed ends a line; with "", also "\r"."""
    try:
        with open_file(path) as content, io.TextIOWrapper(content, encoding="utf-8-sig", newline=newline) as lines:
            for number, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE), ""), 1):
                if len(line) == LONGEST_LINE:
                    raise InputError(
                        f"{path} line {number} is longer than {LONGEST_LINE:,} characters; expected one text or object "
                        "per line"
                    )
                yield line
    except UnicodeDecodeError as error:
        raise _build_utf8_error(path) from error


def _build_utf8_error(path: Path) -> InputError:
    """Name the first line that is not UTF-8. Reads the file again, because a decoder does not count lines."""
    number, decoder = 1, codecs.getincrementaldecoder("utf-8")()
    with open_file(path) as content:
        for piece in chain(iter(lambda: content.readline(CHUNK), b""), [b""]):
            try:
                decoder.decode(piece, final=not piece)
            except UnicodeDecodeError as error:
                problem = f"{path} line {number} is not UTF-8 (byte 0x{error.object[error.start]:02x})"
                return InputError(f"{problem}; save the file as UTF-8")
            number += piece.endswith(b"\n")
    return InputError(f"{path} changed while it was read; start again when it is complete")


def _select_columns(names: Iterable[str], only: str | None) -> list[str]:
    return [name for name in names if only in (None, name)]


def _check_column_names(path: Path, names: list[str]) -> None:
    if len(set(names)) < len(names):
        raise InputError(f"{path} has two columns of the same name ({', '.join(names)}); rename one of them")
