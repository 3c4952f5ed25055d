"""Bytes read and written past the system's cache of files, where the system and the place allow it.

A stream of many gigabytes has no use for the cache, and to be given its pages can take longer than to fill them.
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
"""Only whole pages, from and to memory that begins with one, can go straight."""


class DirectFile:
    """A file that threads read or write at once, each at a place of its own.

    `direct` is the same file, opened to go past the cache, where that can be; what cannot go straight goes by `file`.
    """

    def __init__(self, file: int, direct: int | None) -> None:
        self._file, self._direct = file, direct
        self._rooms = local()

    def fileno(self) -> int:
        """The number of the open file, for what is neither reading nor writing."""
        return self._file

    def read(self, size: int, place: int) -> memoryview:
        """As many bytes from there, fewer at the end of the file. Good until this thread reads here again."""
        before = place % PAGE
        room = self._room(before + size)
        there = max(0, self._straight_into(room, place - before) - before)
        while there < size:
            read = os.preadv(self._file, [room[before + there : before + size]], place + there)
            if not read:
                break
            drop_from_cache(self._file, place + there, read)
            there += read
        return room[before : before + min(there, size)]

    def write(self, content: memoryview, place: int) -> None:
        """Put these bytes there."""
        straight = self._straight_from(content, place) if place % PAGE == 0 else 0
        while straight < len(content):
            straight += os.pwrite(self._file, content[straight:], place + straight)

    def _straight_into(self, room: memoryview, place: int) -> int:
        direct = self._direct
        if direct is None:
            return 0
        try:
            return os.preadv(direct, [room], place)
        except OSError as error:
            return self._refused(error)

    def _straight_from(self, content: memoryview, place: int) -> int:
        size, direct = len(content) // PAGE * PAGE, self._direct
        if direct is None or not size:
            return 0
        room = self._room(size)
        room[:size] = content[:size]
        try:
            return os.pwrite(direct, room[:size], place)
        except OSError as error:
            return self._refused(error)

    def _refused(self, error: OSError) -> int:
        """Some places let a file be opened so, and then refuse to do it: go by the cache from here on."""
        if error.errno != errno.EINVAL:
            raise error
        self._direct = None
        return 0

    def _room(self, size: int) -> memoryview:
        """Memory of this thread, whole pages."""
        pages = -(-size // PAGE) * PAGE
        if pages > len(getattr(self._rooms, "room", b"")):
            self._rooms.room = memoryview(mmap(-1, pages))
        room: memoryview = self._rooms.room
        return room[:pages]


@contextmanager
def opened_direct(path: Path, mode: Literal["rb", "r+b"]) -> Iterator[DirectFile]:
    """The file, past the cache where it can be."""
    with path.open(mode, buffering=0) as file:
        direct = _opened(path, os.O_RDONLY if mode == "rb" else os.O_RDWR)
        try:
            yield DirectFile(file.fileno(), direct)
        finally:
            if direct is not None:
                os.close(direct)


def _opened(path: Path, flags: int) -> int | None:
    try:
        return None if O_DIRECT is None else os.open(path, flags | O_DIRECT)
    except OSError:
        return None
