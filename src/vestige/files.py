"""Files are written whole or not at all."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path

from vestige.errors import InputError


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the place and move there in one step, so that a kill leaves the old file or the new one.

    Only the owner may read it: vectors and reports are as private as the texts behind them.
    """
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def drop_from_cache(file: int, begin: int, length: int) -> None:
    """Tell the system that nobody here needs these bytes of a file in memory again; where it cannot be told, nothing.

    A stream of many gigabytes would otherwise put all else that a machine keeps in memory out of it.
    """
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file, begin, length, os.POSIX_FADV_DONTNEED)


def check_writable(folder: Path) -> None:
    """Prove, before any long work, that the folder can be made or written; leaves no trace."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            return
    except OSError as error:
        raise InputError(
            f"{folder} cannot be written ({error.strerror}); name a folder that can be made or written"
        ) from error


def writable_folder(folder: Path) -> Path:
    """The folder, made where it was not there."""
    check_writable(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def parts_folder(folder: Path, kept: str = "*.safetensors") -> Iterator[Path]:
    """A folder for the parts of one work, for one run at a time.

    It goes away when the work is done, and when it failed with no part kept: none of the name `kept`.
    """
    with sole_user(writable_folder(folder)):
        try:
            yield folder
        except BaseException:
            if not list(folder.glob(kept)):
                shutil.rmtree(folder)
            raise
        shutil.rmtree(folder)


@contextmanager
def sole_user(folder: Path) -> Iterator[None]:
    """Hold a folder against other runs; one that comes while it is held is turned away."""
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(f"another run is writing {folder}; wait for it, or name another place") from error
        yield


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def write_folder(folder: Path, contents: dict[str, bytes]) -> None:
    """Write a new folder of files whole or not at all; only the owner may read them."""
    if folder.exists():
        raise InputError(f"{folder} is there already; name a folder that is not")
    check_writable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as scratch:
        place = Path(scratch) / "whole"
        place.mkdir()
        for name, content in contents.items():
            write_whole(place / name, content)
        place.rename(folder)
