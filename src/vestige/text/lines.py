"""A file as bytes or as lines of UTF-8, gunzipped as it is read: no more than a line or so is in memory."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vestige.errors import InputError

CHUNK = 2**16


@contextmanager
def opened(path: Path) -> Iterator[gzip.GzipFile | io.BufferedReader]:
    """The bytes of a file, of a gzipped one the bytes inside; whatever fails while it is open names the file."""
    if not path.is_file():
        raise InputError(f"{path} is not there or is not a file; check the path")
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as content:
            yield content
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read ({error}); expected a readable file") from error


def check_filled(path: Path) -> None:
    """Raise when a file holds nothing, or nothing but white space."""
    with opened(path) as content:
        if not any(chunk.strip() for chunk in iter(lambda: content.read(CHUNK), b"")):
            raise InputError(f"{path} is empty; expected at least one text")


def read_lines(path: Path, newline: str) -> Iterator[str]:
    r"""The lines of a file with their ends: "\n" ends them at line feeds alone, "" also at "\r", as csv needs."""
    try:
        with opened(path) as content, io.TextIOWrapper(content, encoding="utf-8-sig", newline=newline) as lines:
            yield from lines
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error


def _not_utf8(path: Path) -> InputError:
    """The error for the first line that is not UTF-8, looked for only now: a decoder does not count lines."""
    with opened(path) as content:
        for number, line in enumerate(content, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                found = f"{path} line {number} is not UTF-8 (byte 0x{line[error.start]:02x})"
                return InputError(f"{found}; save the file as UTF-8")
    return InputError(f"{path} changed while it was read; start again when it is whole")
