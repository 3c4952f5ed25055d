"""Atomic writes, folders for one run at a time, and checks that a folder can be written."""

import fcntl
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path
from platform import node
from stat import S_ISLNK, S_ISREG
from zlib import crc32

from vestige.errors import InputError

LARGEST_SETTINGS = 2**16
"""Bytes of a file that a person wrote. Whoever hands over a larger one wants to use up time or memory."""


def write_whole(path: Path, content: bytes) -> None:
    """Write to a temporary file and rename it, so that an interrupted write leaves the old file or the new one.

    Only the owner may read it: vectors and reports are as private as their texts.
    """
    write_together({path: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write the files of one result: if one cannot be written, because the disk is full, none of them appears.

    All are written to temporary files first; then they are renamed. Temporary files of runs that were killed go.
    """
    scratch: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            _remove_leftovers(path)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_own_ending(os.getpid()))
            scratch[path] = Path(name)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for path, written in scratch.items():
            written.replace(path)
    finally:
        for written in scratch.values():
            written.unlink(missing_ok=True)


def _remove_leftovers(path: Path) -> None:
    """Remove what killed processes of this machine left while they wrote this file or folder."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.writing"):
        process = left.name.split(".")[-2].partition("-")[0]
        if process.isdecimal() and left.name.endswith(_own_ending(int(process))) and not is_running(int(process)):
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)


def _own_ending(process: int) -> str:
    """How the name of a temporary file of a process of this machine ends."""
    return f".{process}-{crc32(node().encode()):08x}.writing"


def is_running(process: int) -> bool:
    """Whether there is a process of this number on this machine."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def make_folder(folder: Path) -> Path:
    """The folder, created with its parents if it does not exist; only the owner may enter what is created."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def read_small(path: Path) -> bytes:
    """The bytes of a file that a person wrote, such as settings; raise if it is far larger than these are."""
    if path.is_fifo():
        raise InputError(f"{path} is a pipe, from which nothing may ever come; expected a file of settings")
    with path.open("rb") as file:
        content = file.read(LARGEST_SETTINGS + 1)
    if len(content) > LARGEST_SETTINGS:
        raise InputError(f"{path} has more than {LARGEST_SETTINGS:,} bytes; expected a file of settings")
    return content


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
    return make_folder(folder)


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
def sole_user(folder: Path, place: Path | None = None) -> Iterator[None]:
    """Lock a folder; raise if another run holds the lock, or if the disk has no locks.

    `place` is what the user named, if that is not the folder itself.
    """
    _refuse_link(folder, folder)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(folder / "lock", flags, 0o600), "rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(
                f"another run is writing {place or folder}; wait for it, or name another folder"
            ) from error
        except OSError as error:
            raise InputError(
                f"{folder} cannot be locked ({error.strerror or error}); expected a disk that supports locks, name a "
                "folder on another one"
            ) from error
        for path in folder.rglob("*"):
            with suppress(FileNotFoundError):  # A worker of a killed run may still tidy up.
                _refuse_link(path, folder)
        yield


def _refuse_link(path: Path, folder: Path) -> None:
    """Raise if a path in the folder of a run is a link: what is written there would change another file."""
    state = path.lstat()
    if S_ISLNK(state.st_mode) or (S_ISREG(state.st_mode) and state.st_nlink > 1):
        raise InputError(f"{path} is a link, and no run of Vestige makes one there; remove {folder}")


def create_file(path: Path) -> None:
    """Create an empty file that only the owner may read. What has its name is removed first, not written to."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def write_folder(folder: Path, contents: dict[str, bytes]) -> None:
    """Write a new folder with all of these files, by their paths in it, or none; only the owner may read them."""
    if folder.exists():
        raise InputError(f"{folder} already exists; name a new folder")
    check_writable(folder)
    make_folder(folder.parent)
    _remove_leftovers(folder)
    ending = _own_ending(os.getpid())
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.", suffix=ending) as scratch:
        place = Path(scratch) / "whole"
        place.mkdir(mode=0o700)
        for name in contents:
            make_folder((place / name).parent)
        write_together({place / name: content for name, content in contents.items()})
        place.rename(folder)
