"""Copies of what cannot be opened without being changed."""

import fcntl
import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from vestige.errors import InputError

CLONE = 0x40049409
"""FICLONE of Linux: the copy shares the blocks of the file, until one of the two is written to."""

SPARE = 2**26
WORTH_A_WORD = 2**28

log = logging.getLogger(__name__)


@contextmanager
def copied(place: Path, files: Sequence[Path]) -> Iterator[Path]:
    """A folder with copies of files that lie in or under `place`, which no one wrote to meanwhile.

    Only the owner may read it, and it goes away after use. Where the file system can, blocks are shared.
    """
    with TemporaryDirectory(prefix="vestige-") as scratch:
        try:
            before = _stamps(files)
            copies = {file: Path(scratch) / file.relative_to(place) for file in files}
            for copy in copies.values():
                copy.parent.mkdir(parents=True, exist_ok=True)
            left = [file for file, copy in copies.items() if not _cloned(file, copy)]
            _check_room(place, left, Path(scratch))
            for file in left:
                shutil.copyfile(file, copies[file])
            changed = _stamps(files) != before
        except OSError as error:
            raise InputError(f"{place} cannot be copied to be read ({error}); try again when no one writes") from error
        if changed:
            raise InputError(f"{place} was written to while it was read; try again when its writer rests")
        yield Path(scratch)


def _cloned(file: Path, copy: Path) -> bool:
    with file.open("rb") as source, copy.open("wb") as target:
        try:
            fcntl.ioctl(target, CLONE, source.fileno())
        except OSError:
            return False
    return True


def _check_room(place: Path, files: Sequence[Path], scratch: Path) -> None:
    needed, free = sum(file.stat().st_size for file in files), shutil.disk_usage(scratch).free
    if needed + SPARE > free:
        raise InputError(
            f"{place} has to be copied to be read, {_size(needed)}, and {scratch.parent} has {_size(free)} free; name "
            "a folder that has room in TMPDIR"
        )
    log.log(
        logging.WARNING if needed >= WORTH_A_WORD else logging.INFO,
        "%s is copied to be read, %s, since its own program would write into it",
        place,
        _size(needed),
    )


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def files_under(folder: Path) -> list[Path]:
    """Every file of a folder."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not there or is not a folder; check the path")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _stamps(files: Sequence[Path]) -> list[tuple[int, int]]:
    return [(file.stat().st_mtime_ns, file.stat().st_size) for file in files]
