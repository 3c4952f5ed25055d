"""One run at a time in a folder of an object store, which has no locks of its own.

The run that holds the folder renews a small file every few seconds. A newcomer that finds the file watches it: if it
changes, its run is alive, and the newcomer is refused. A run that was killed on this machine is known to be dead at
once; another container is another machine. Whoever holds the folder looks at the file before anything appears in it
(`RemoteFolder.owner`), so a run that lost it, because it was suspended for long, ends before its next write.
"""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from platform import node
from threading import Event, Thread

from vestige.engine.folders import LOCK, RemoteFolder, parse_owner
from vestige.engine.job import Unreachable
from vestige.errors import InputError
from vestige.files import is_running

BOOT, CONTAINER = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")

RENEWAL, WATCH = 5.0, 30.0
"""Seconds between two renewals, and seconds without one after which a run is taken for dead."""

SETTLING = 1.0
"""Seconds after which runs that began at the same moment see which of them wrote last: the folder is that one's."""


@contextmanager
def lock_folder(folder: RemoteFolder) -> Iterator[RemoteFolder]:
    """The same folder, held for one run; raise if another run that is alive holds it."""
    _wait_until_free(folder)
    owner = f"process {os.getpid()} on {node()}, {_identify_processes()}, {secrets.token_hex(8)}"
    held = replace(folder, owner=owner)
    _renew(folder, owner, 0)
    time.sleep(SETTLING)
    held.check_owner()
    stop = Event()
    renewing = Thread(target=_renew_until, args=(folder, owner, stop), daemon=True)
    renewing.start()
    try:
        yield held
    finally:
        stop.set()
        renewing.join()
        with suppress(Unreachable):
            if folder.read_owner() == owner:
                folder.delete(LOCK)


def _wait_until_free(folder: RemoteFolder) -> None:
    """Return when nobody holds the folder, or when its owner is dead."""
    before, end = folder.read(LOCK), time.monotonic() + WATCH
    while before is not None and not _is_dead(owner := parse_owner(before)) and time.monotonic() < end:
        time.sleep(min(RENEWAL, WATCH) / 4)
        now = folder.read(LOCK)
        if now not in (None, before):
            process = owner.partition(",")[0]
            raise InputError(f"another run ({process}) is writing {folder.place}; wait for it, or name another folder")
        before = now


def _is_dead(owner: str) -> bool:
    """Whether the owner was a process of this machine that has ended."""
    process, _, machine = owner.removeprefix("process ").rpartition(",")[0].partition(" on ")
    here = machine == f"{node()}, {_identify_processes()}"
    return here and process.isdecimal() and not is_running(int(process))


def _identify_processes() -> str:
    """What numbers of processes belong to: the start of this machine, and its container."""
    try:
        return f"{BOOT.read_text().strip()} {CONTAINER.readlink()}"
    except OSError:
        return "unknown"


def _renew_until(folder: RemoteFolder, owner: str, stop: Event) -> None:
    """Renew until the end, or until another run has the folder."""
    count = 0
    while not stop.wait(RENEWAL):
        count += 1
        with suppress(Unreachable, OSError):
            if folder.read_owner() != owner:
                return
            _renew(folder, owner, count)


def _renew(folder: RemoteFolder, owner: str, count: int) -> None:
    folder.write(LOCK, f"{owner}\n{count}\n".encode())
