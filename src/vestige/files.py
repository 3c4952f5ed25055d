"""Atomic writes, folders for one run at a time, and checks that a folder can be written."""

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
    """Write to a temporary file and rename it, so that an interrupted write leaves the old file or the new one.

    Only the owner may read it: vectors and reports are as private as their texts.
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
    """Drop these bytes of a file from the page cache, where the system supports it.

    Otherwise a stream of many gigabytes would evict everything else from the cache.
    """
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file, begin, length, os.POSIX_FADV_DONTNEED)


def check_writable(folder: Path) -> None:
    """Raise, before any long work, if the folder cannot be created or written; leaves no trace."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            return
    except OSError as error:
        raise InputError(
            f"{folder} cannot be written ({error.strerror}); name a folder that can be created or written"
        ) from error


def writable_folder(folder: Path) -> Path:
    """The folder, created if it does not exist."""
    check_writable(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def parts_folder(folder: Path, reusable: str = "*.safetensors") -> Iterator[Path]:
    """A folder for the parts of a long computation, for one run at a time.

    It is removed when the computation is done. After a failure it is removed if no file matches `reusable`, the glob of
    the parts that a later run can continue with.
    """
    with sole_user(writable_folder(folder)):
        try:
            yield folder
        except BaseException:
            if not list(folder.glob(reusable)):
                shutil.rmtree(folder)
            raise
        shutil.rmtree(folder)


@contextmanager
def sole_user(folder: Path) -> Iterator[None]:
    """Lock a folder; raise if another run holds the lock."""
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(f"another run is writing {folder}; wait for it, or name another folder") from error
        yield


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def write_folder(folder: Path, contents: dict[str, bytes]) -> None:
    """Write a new folder with all of these files, by their paths in it, or none; only the owner may read them."""
    if folder.exists():
        raise InputError(f"{folder} already exists; name a new folder")
    check_writable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as scratch:
        place = Path(scratch) / "whole"
        place.mkdir()
        for name, content in contents.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(place / name, content)
        place.rename(folder)
