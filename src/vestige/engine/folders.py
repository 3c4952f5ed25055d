"""A folder of parts, here or on another machine, in which every file is complete or absent."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import file_digest
from pathlib import Path
from platform import node
from typing import Any

from vestige.engine.filesystems import hide_credentials, is_object_store, is_url, join_url, open_filesystem, show_url
from vestige.engine.job import FolderTaken, Unreachable
from vestige.errors import InputError
from vestige.files import check_writable, make_folder, write_whole
from vestige.memory import read_file

TEMPORARY, PROBE = ".tmp", "_writable"
CHUNK = 2**22
DELETERS = 16
"""Threads that delete the files of an object store: one after the other, 50,000 would take more than an hour."""
LOCK = "_records/lock"
"""The file by which a run holds a folder."""
OWNER = "_records/owner"
"""The file by which workers on other machines recognize the folder of their run."""


@dataclass(frozen=True)
class LocalFolder:
    """A folder on a disk that all workers share.

    With an `owner`, nothing is written, and no folder is made, unless the file `OWNER` is here and has this name.
    """

    path: Path
    owner: str = ""

    @property
    def place(self) -> str:
        """How messages name the folder: its path."""
        return str(self.path)

    def absolute(self) -> "LocalFolder":
        """The same folder for a process with another working directory."""
        return replace(self, path=self.path.absolute())

    def hold(self, owner: str) -> "LocalFolder":
        """The same folder for the workers of a cluster: theirs as long as no later run holds it."""
        self.write(OWNER, owner.encode())
        return replace(self.absolute(), owner=owner)

    def check_owner(self) -> None:
        """Raise if this is another machine's disk, or if a later run holds the folder."""
        found = self.read(OWNER) if self.owner else None
        if self.owner and found is None:
            raise InputError(
                f"{self.place} on the machine {node()} is not the folder that this run writes, as it has no {OWNER}; "
                "expected a folder on a disk that all machines share, name one, or an address such as s3://BUCKET/FOLDER"
            )
        if found is not None and found != self.owner.encode():
            raise FolderTaken(_describe_taken(self.place))

    def make_folder(self, place: Path) -> None:
        """Make a folder in this one, unless workers of a cluster ask, who might have another disk."""
        self.check_owner()
        if not self.owner:
            make_folder(place)

    def list_names(self) -> list[str]:
        """The names of all files, sorted."""
        return sorted(found.relative_to(self.path).as_posix() for found in self.path.rglob("*") if found.is_file())

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""
        try:
            return read_file(self.path / name, 1)
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file at once; only the owner may read it."""
        place = self.path / name
        self.make_folder(place.parent)
        write_whole(place, content)

    def compute_sha256(self, name: str) -> str | None:
        """The SHA-256 of a file in hexadecimal; None if there is none."""
        try:
            with (self.path / name).open("rb") as file:
                return file_digest(file, "sha256").hexdigest()
        except FileNotFoundError:
            return None

    def delete(self, *names: str) -> None:
        """Delete files, if they are there."""
        self.check_owner()
        for name in names:
            (self.path / name).unlink(missing_ok=True)

    @contextmanager
    def scratch(self, name: str) -> Iterator[Path]:
        """A file next to its final place, which is renamed when it is on the disk."""
        self.make_folder(self.path)
        handle, scratch = tempfile.mkstemp(dir=self.path, prefix=f".{name}.", suffix=TEMPORARY)
        os.close(handle)
        try:
            yield Path(scratch)
            with Path(scratch).open("rb") as file:
                os.fsync(file.fileno())
            self.check_owner()
            Path(scratch).replace(self.path / name)
        finally:
            Path(scratch).unlink(missing_ok=True)

    def remove_empty(self) -> None:
        """Remove the folder, and empty folders in it, if nothing else is in it."""
        for folder in (*filter(Path.is_dir, self.path.glob("*")), self.path):
            with suppress(OSError):
                folder.rmdir()


@dataclass(frozen=True)
class RemoteFolder:
    """A folder of an object store, or of another filesystem that pyarrow or fsspec can open.

    With an `owner`, nothing is written unless the lock of the folder has this name.
    """

    url: str
    owner: str = ""

    @property
    def place(self) -> str:
        """How messages name the folder: its address without credentials."""
        return show_url(self.url)

    def absolute(self) -> "RemoteFolder":
        """The same folder."""
        return self

    def read_owner(self) -> str:
        """The run that holds the folder; empty if none does."""
        return parse_owner(self.read(LOCK))

    def check_owner(self) -> None:
        """Raise if another run holds the folder."""
        found = self.read_owner() if self.owner else ""
        if self.owner and not found:
            raise FolderTaken(
                f"the lock of this run is not in {self.place} on the machine {node()}, so the run ends; expected a "
                "place that all machines see, and that nobody clears; run the same command again to resume"
            )
        if found != self.owner:
            raise FolderTaken(_describe_taken(self.place))

    def list_names(self) -> list[str]:
        """The names of all files, sorted."""
        from pyarrow.fs import FileSelector, FileType

        filesystem, path = open_filesystem(self.url)
        with self._explained():
            found = filesystem.get_file_info(FileSelector(path, allow_not_found=True, recursive=True))
        return sorted(info.path.removeprefix(path).lstrip("/") for info in found if info.type == FileType.File)

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""
        filesystem, path = self._open(name)
        with self._explained():
            try:
                with filesystem.open_input_stream(path) as stream:
                    content: bytes = stream.read()
                    return content
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file at once."""
        with self.scratch(name) as scratch:
            scratch.write_bytes(content)

    def compute_sha256(self, name: str) -> str | None:
        """The SHA-256 of a file in hexadecimal; None if there is none."""
        filesystem, path = self._open(name)
        with self._explained():
            try:
                with filesystem.open_input_stream(path) as stream:
                    return file_digest(_Readable(stream), "sha256").hexdigest()
            except FileNotFoundError:
                return None

    def delete(self, *names: str) -> None:
        """Delete files, if they are there; several at a time, since each takes a few round trips."""
        self.check_owner()
        with ThreadPoolExecutor(DELETERS) as pool:
            list(pool.map(self._delete, names))

    def _delete(self, name: str) -> None:
        filesystem, path = self._open(name)
        with self._explained(), suppress(FileNotFoundError):
            filesystem.delete_file(path)

    @contextmanager
    def scratch(self, name: str) -> Iterator[Path]:
        """A temporary file here, which is then uploaded whole."""
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder) / "part"
            yield scratch
            self._upload(scratch, name)

    def remove_empty(self) -> None:
        """Nothing: an object store has no empty folders."""

    def _upload(self, scratch: Path, name: str) -> None:
        self.check_owner()
        filesystem, path = self._open(name)
        final = is_object_store(self.url)
        target = path if final else f"{path}{TEMPORARY}"
        with self._explained(may_be_absent=False):
            if not final:
                filesystem.create_dir(path.rpartition("/")[0])
            stream = filesystem.open_output_stream(target)
            with scratch.open("rb") as file:
                shutil.copyfileobj(file, stream, CHUNK)
            # Not in a `with` statement: that would complete the object after an error too.
            stream.close()
            if not final:
                filesystem.move(target, path)

    def _open(self, name: str) -> tuple[Any, str]:
        filesystem, path = open_filesystem(self.url)
        return filesystem, f"{path.rstrip('/')}/{name}"

    @contextmanager
    def _explained(self, *, may_be_absent: bool = True) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError) as error:
            if may_be_absent and isinstance(error, FileNotFoundError):
                raise
            raise Unreachable(
                f"{self.place} cannot be used ({hide_credentials(error, self.url)}); check the address, the "
                "credentials, the permissions and the connection, and run the same command again to resume"
            ) from error


def _describe_taken(place: str) -> str:
    return (
        f"another run is writing {place}, so this one ends; wait for the other, then run the same command again, or "
        "name another folder"
    )


def parse_owner(content: bytes | None) -> str:
    """The run that a lock names in its first line; empty if there is no lock."""
    return (content or b"").decode(errors="replace").partition("\n")[0]


class _Readable:
    """A stream that `file_digest` accepts."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray) -> int:
        """Fill the buffer as far as possible."""
        found: bytes = self._stream.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)


Folder = LocalFolder | RemoteFolder


def open_folder(place: str | Path) -> Folder:
    """The folder at a path or address."""
    return RemoteFolder(str(place)) if is_url(place) else LocalFolder(Path(place))


def check_folder_writable(folder: Folder) -> None:
    """Raise, before any long work, if no file can be written."""
    if isinstance(folder, LocalFolder):
        check_writable(folder.path)
        return
    folder.write(PROBE, b"yes\n")
    folder.delete(PROBE)


def join_place(place: str | Path, name: str) -> str:
    """The path or address of a file in a folder."""
    return join_url(str(place), name) if is_url(place) else str(Path(place) / name)
