"""The state of a source, by which a change of it is detected: names, sizes and times of its files."""

import hashlib
from pathlib import Path

from vestige.engine.job import SourceChanged, Unreachable
from vestige.errors import InputError
from vestige.stores.dataset_files import is_dataset, list_files, show_source
from vestige.stores.source_address import is_file, parse_address

FileState = tuple[str, int, int]


def read_state(source: str) -> tuple[FileState, ...] | None:
    """Name, size and time of change of every file of a source; None for a server, which does not reveal its state."""
    if is_dataset(source):
        return tuple((file.path, file.size, file.changed) for file in list_files(source))
    where = source if is_file(source) else parse_address(source).where
    if "://" in where or "=" in where:
        return None
    path = Path(where)
    files = sorted(found for found in path.rglob("*") if found.is_file()) if path.is_dir() else [path]
    states = []
    for file in files:
        try:
            state = file.stat()
        except FileNotFoundError:
            raise SourceChanged(f"{file} is not there any more; restore it, and do not change the source") from None
        except OSError as error:
            raise Unreachable(f"{file} cannot be read ({error.strerror}); run the same command again") from None
        states.append((str(file.resolve()), state.st_size, state.st_mtime_ns))
    return tuple(states)


def digest_state(state: tuple[FileState, ...] | None) -> str | None:
    """A digest of a state; None if there is none."""
    return None if state is None else hashlib.sha256(repr(state).encode()).hexdigest()


def check_unchanged(source: str, before: tuple[FileState, ...] | None) -> None:
    """Raise, and name the file, if a source is not what it was. A source out of reach has not changed."""
    if before is None:
        return
    try:
        now = read_state(source)
    except Unreachable:
        raise
    except InputError as error:
        raise SourceChanged(f"{show_source(source)} changed while it was read ({error})") from None
    if now != before:
        assert now is not None
        changed = sorted(set(now) ^ set(before))[0][0]
        raise SourceChanged(
            f"{changed} changed while {show_source(source)} was read; nothing was written; "
            "run the same command again when it no longer changes"
        )
