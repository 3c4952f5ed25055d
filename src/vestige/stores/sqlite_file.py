"""SQLite files, opened so that not a byte of them or beside them changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vestige.errors import InputError
from vestige.stores.copies import copied

MAGIC = b"SQLite format 3\x00"
WRITE_AHEAD = 2


@contextmanager
def address(path: Path) -> Iterator[str]:
    """What to open, read-only. A file with a write-ahead log is copied: to read one is to write beside it."""
    if not path.is_file():
        raise InputError(f"{path} is not there or is not a file; check the path")
    check_whole(path)
    if _header(path)[18] != WRITE_AHEAD:
        yield f"{path.absolute().as_uri()}?mode=ro"
        return
    parts = [part for part in (path, Path(f"{path}-wal")) if part.exists()]
    with copied(path.parent, parts) as folder:
        yield f"{(folder / path.name).as_uri()}?mode=ro"


def check_whole(path: Path) -> None:
    """Refuse a file that a writer left, or is just now, in the middle of a change, and one that was cut."""
    header, journal = _header(path), Path(f"{path}-journal")
    if journal.exists() and journal.stat().st_size:
        raise InputError(f"{path} is half written; close its writer, or let its own program open it once to mend it")
    size, pages = (int.from_bytes(header[start:stop], "big") for start, stop in ((16, 18), (28, 32)))
    counted = header[24:28] == header[92:96] and header[18] != WRITE_AHEAD
    whole = pages * (65536 if size == 1 else size)
    if counted and path.stat().st_size < whole:
        raise InputError(f"{path} has {path.stat().st_size} of its {whole} bytes; expected a whole file, copy it again")


def _header(path: Path) -> bytes:
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(MAGIC):
        raise InputError(f"{path} is not an SQLite file; expected the database itself, check the path")
    return header
