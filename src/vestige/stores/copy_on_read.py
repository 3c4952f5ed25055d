"""Copies of stores whose own programs would write into what they open, so that reading changes nothing.

Also the rules for SQLite files: when one may be opened in place, and when only a copy may.
"""

import fcntl
import logging
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vestige.errors import InputError

FICLONE = 0x40049409
"""Linux: the copy shares the blocks of the file until one of the two is written to."""

SPARE_BYTES = 2**26
LARGE_BYTES = 2**28
"""A copy of at least this size is logged as a warning."""

LOCK_WAIT_S = 2
QUERY_S, STEPS = 60.0, 100_000
"""Seconds of computing after which a query is given up, and SQLite's steps between two looks at the clock."""

SQLITE_MAGIC = b"SQLite format 3\x00"
WRITE_AHEAD = 2

log = logging.getLogger(__name__)


@contextmanager
def copy_files(place: Path, files: Sequence[Path]) -> Iterator[Path]:
    """Provide a folder with copies of files below `place`; raise if a program wrote to them meanwhile.

    Only the owner can read the folder, and it is deleted after use. Where the file system can, blocks are shared.
    """
    with TemporaryDirectory(prefix="vestige-") as scratch:
        try:
            before = _read_stamps(files)
            copies = {file: Path(scratch) / file.relative_to(place) for file in files}
            for copy in copies.values():
                copy.parent.mkdir(parents=True, exist_ok=True)
            remaining = [file for file, copy in copies.items() if not _clone(file, copy)]
            _check_space(place, remaining, Path(scratch))
            for file in remaining:
                shutil.copyfile(file, copies[file])
            changed = _read_stamps(files) != before
        except OSError as error:
            raise InputError(
                f"{place} cannot be copied for reading ({error}); try again when no program writes to it"
            ) from error
        if changed:
            raise InputError(f"{place} was written to while it was copied; try again when no program writes to it")
        yield Path(scratch)


def list_files(folder: Path) -> list[Path]:
    """List every file below a folder."""
    if not folder.is_dir():
        raise InputError(f"{folder} does not exist or is not a folder; check the path")
    return sorted(path for path in folder.rglob("*") if path.is_file())


@contextmanager
def read_only_uri(path: Path) -> Iterator[str]:
    """Provide the URI that opens a SQLite file read-only; of a copy, if the file has a write-ahead log.

    To read a file with a write-ahead log, SQLite writes files next to it.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file; check the path")
    check_complete(path)
    if _read_header(path)[18] != WRITE_AHEAD:
        yield f"{path.absolute().as_uri()}?mode=ro"
        return
    parts = [part for part in (path, Path(f"{path}-wal")) if part.exists()]
    with copy_files(path.parent, parts) as folder:
        yield f"{(folder / path.name).as_uri()}?mode=ro"


@contextmanager
def open_sqlite(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a SQLite file for reading, which changes nothing."""
    with read_only_uri(path) as uri:
        connection = sqlite3.connect(uri, uri=True, timeout=LOCK_WAIT_S, check_same_thread=False)
        try:
            yield connection
        finally:
            connection.close()


def query_sqlite(
    connection: sqlite3.Connection, query: str, values: Sequence[Any] = (), seconds: float = QUERY_S
) -> list[Any]:
    """All rows of a query. It is interrupted after so many seconds, because what it reads may have no end."""
    end = time.process_time() + seconds
    connection.set_progress_handler(lambda: time.process_time() > end, STEPS)
    return connection.execute(query, values).fetchall()


def check_table(connection: sqlite3.Connection, name: str, place: str) -> None:
    """Raise unless there is a table of this name, and not a view, which can be endless."""
    kinds = query_sqlite(connection, "SELECT type, sql FROM sqlite_master WHERE lower(name) = lower(?)", (name,))
    if [kind for kind, _ in kinds] != ["table"] or str(kinds[0][1]).upper().startswith("CREATE VIRTUAL"):
        raise InputError(f"{place} has no table '{name}'; expected a complete folder of that program")


def check_complete(path: Path) -> None:
    """Raise if a SQLite file is in the middle of a change, by a writer that runs or one that crashed, or truncated."""
    header, journal = _read_header(path), Path(f"{path}-journal")
    if journal.exists() and journal.stat().st_size:
        raise InputError(
            f"{path} is half written; close the program that writes it, or open it once with that program to repair it"
        )
    page_bytes, pages = (int.from_bytes(header[start:stop], "big") for start, stop in ((16, 18), (28, 32)))
    counted = header[24:28] == header[92:96] and header[18] != WRITE_AHEAD
    expected = pages * (65536 if page_bytes == 1 else page_bytes)
    if counted and path.stat().st_size < expected:
        raise InputError(
            f"{path} has {path.stat().st_size} of its {expected} bytes; expected a complete file, copy it again"
        )


def _read_header(path: Path) -> bytes:
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(SQLITE_MAGIC):
        raise InputError(f"{path} is not an SQLite file; expected the database itself, check the path")
    return header


def _clone(file: Path, copy: Path) -> bool:
    with file.open("rb") as source, copy.open("wb") as target:
        try:
            fcntl.ioctl(target, FICLONE, source.fileno())
        except OSError:
            return False
    return True


def _check_space(place: Path, files: Sequence[Path], scratch: Path) -> None:
    needed, free = sum(file.stat().st_size for file in files), shutil.disk_usage(scratch).free
    if needed + SPARE_BYTES > free:
        raise InputError(
            f"{place} must be copied for reading, {_format_size(needed)}, and {scratch.parent} has "
            f"{_format_size(free)} free; set TMPDIR to a folder with enough space"
        )
    log.log(
        logging.WARNING if needed >= LARGE_BYTES else logging.INFO,
        "copying %s for reading (%s), because its own program would write into it",
        place,
        _format_size(needed),
    )


def _format_size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _read_stamps(files: Sequence[Path]) -> list[tuple[int, int]]:
    return [(file.stat().st_mtime_ns, file.stat().st_size) for file in files]
