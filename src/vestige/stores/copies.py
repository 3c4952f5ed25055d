"""Copies of what cannot be opened without being changed."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from vestige.errors import InputError


@contextmanager
def copied(place: Path, files: Sequence[Path]) -> Iterator[Path]:
    """A folder with copies of files that lie in or under `place`, which no one wrote to meanwhile.

    Only the owner may read it, and it goes away after use.
    """
    with TemporaryDirectory(prefix="vestige-") as scratch:
        try:
            before = _stamps(files)
            for file in files:
                copy = Path(scratch) / file.relative_to(place)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
            changed = _stamps(files) != before
        except OSError as error:
            raise InputError(f"{place} cannot be copied to be read ({error}); try again when no one writes") from error
        if changed:
            raise InputError(f"{place} was written to while it was read; try again when its writer rests")
        yield Path(scratch)


def files_under(folder: Path) -> list[Path]:
    """Every file of a folder."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not there or is not a folder; check the path")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _stamps(files: Sequence[Path]) -> list[tuple[int, int]]:
    return [(file.stat().st_mtime_ns, file.stat().st_size) for file in files]
