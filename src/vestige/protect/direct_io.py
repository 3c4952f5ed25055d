"""Read and write a file past the page cache, where the system and the file system allow it.

A stream of many gigabytes gains nothing from the cache, and allocating its pages can take longer than filling them.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import mmap
from pathlib import Path
from threading import local
from typing import Literal

from vestige.files import drop_from_cache

O_DIRECT: int | None = getattr(os, "O_DIRECT", None)
PAGE = 4096
"""Direct transfers require whole pages, to and from memory that is aligned to a page."""


class DirectFile:
    """A file that threads read or write concurrently, each at its own offset.

    `direct` is a descriptor of the same file that bypasses the cache, if there is one. Whatever cannot be transferred
    directly goes through `file`.
    """

    def __init__(self, file: int, direct: int | None) -> None:
        self._file, self._direct = file, direct
        self._buffers = local()

    def fileno(self) -> int:
        """The descriptor of the open file, for everything but reading and writing."""
        return self._file

    def read(self, size: int, offset: int) -> memoryview:
        """Read `size` bytes, fewer at the end of the file. The result is valid until this thread reads here again."""
        before = offset % PAGE
        buffer = self._buffer(before + size)
        done = max(0, self._read_direct(buffer, offset - before) - before)
        while done < size:
            count = os.preadv(self._file, [buffer[before + done : before + size]], offset + done)
            if not count:
                break
            drop_from_cache(self._file, offset + done, count)
            done += count
        return buffer[before : before + min(done, size)]

    def write(self, content: memoryview, offset: int) -> None:
        """Write these bytes at the offset."""
        done = self._write_direct(content, offset) if offset % PAGE == 0 else 0
        while done < len(content):
            done += os.pwrite(self._file, content[done:], offset + done)

    def _read_direct(self, buffer: memoryview, offset: int) -> int:
        direct = self._direct
        if direct is None:
            return 0
        try:
            return os.preadv(direct, [buffer], offset)
        except OSError as error:
            return self._give_up(error)

    def _write_direct(self, content: memoryview, offset: int) -> int:
        size, direct = len(content) // PAGE * PAGE, self._direct
        if direct is None or not size:
            return 0
        buffer = self._buffer(size)
        buffer[:size] = content[:size]
        try:
            return os.pwrite(direct, buffer[:size], offset)
        except OSError as error:
            return self._give_up(error)

    def _give_up(self, error: OSError) -> int:
        """Use the cache from now on: some file systems accept O_DIRECT when opening and then refuse to transfer."""
        if error.errno != errno.EINVAL:
            raise error
        self._direct = None
        return 0

    def _buffer(self, size: int) -> memoryview:
        """The page-aligned buffer of this thread, in whole pages."""
        pages = -(-size // PAGE) * PAGE
        if pages > len(getattr(self._buffers, "buffer", b"")):
            self._buffers.buffer = memoryview(mmap(-1, pages))
        buffer: memoryview = self._buffers.buffer
        return buffer[:pages]


@contextmanager
def open_direct(path: Path, mode: Literal["rb", "r+b"]) -> Iterator[DirectFile]:
    """Open a file, past the cache where possible."""
    with path.open(mode, buffering=0) as file:
        direct = open_descriptor(path, os.O_RDONLY if mode == "rb" else os.O_RDWR)
        try:
            yield DirectFile(file.fileno(), direct)
        finally:
            if direct is not None:
                os.close(direct)


def open_descriptor(path: Path, flags: int) -> int | None:
    """Open a descriptor that bypasses the cache, or return None where that is not possible."""
    try:
        return None if O_DIRECT is None else os.open(path, flags | O_DIRECT)
    except OSError:
        return None
