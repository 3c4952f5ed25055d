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
    with path.open("rb") as file:
        header = file.read(20)
    if not header.startswith(MAGIC):
        raise InputError(f"{path} is not an SQLite file; expected one")
    check_whole(path)
    if header[18] != WRITE_AHEAD:
        yield f"{path.absolute().as_uri()}?mode=ro"
        return
    parts = [part for part in (path, Path(f"{path}-wal")) if part.exists()]
    with copied(path.parent, parts) as folder:
        yield f"{(folder / path.name).as_uri()}?mode=ro"


def check_whole(path: Path) -> None:
    """Refuse a file that a writer left, or is just now, in the middle of a change."""
    journal = Path(f"{path}-journal")
    if journal.exists() and journal.stat().st_size:
        raise InputError(f"{path} is half written; close its writer, or let its own program open it once to mend it")
