"""A limit on memory: declared sizes are checked before anything is read, and the system enforces the rest.

A small file may unpack to many gigabytes. Whoever reads one asks `check_memory` first, with the size that the file
declares. `limit_memory` also sets the limit of the operating system, so that a file that lies ends with a message.
"""

import os
import re
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from ctypes import CDLL
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from vestige.errors import InputError, VestigeError

SHARE = 0.8
"""The share of the machine's memory that may be used unless the user sets a limit."""

SMALLEST, LARGEST = 2**28, 2**60
RESERVE = min(2**33, 2**31 + 2**28 * (os.cpu_count() or 1))
"""How far the limit of the system is above ours. The system counts what is reserved, such as stacks of threads."""

PARSED = 60
"""Times the size of a JSON file that its parsed form may take: two bytes for a list of one list, which takes 104."""

INTERVAL_S = 0.1
"""Seconds of computing between two looks at what is used."""

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}

_USED_UP = re.compile("can't allocate memory|not enough memory|bad_alloc|malloc of size|Unable to allocate")
"""How native libraries say that memory is used up."""

_CHOSEN: ContextVar[int | None] = ContextVar("memory limit", default=None)


def release_memory() -> None:
    """Return what was freed to the system; the C library and Arrow keep memory of every thread for later."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    trim = getattr(CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def memory_limit() -> int:
    """The bytes that may be used: what `limit_memory` set, or a share of what the machine has."""
    chosen = _CHOSEN.get()
    return int(SHARE * _machine_memory()) if chosen is None else chosen


def use_limit(limit: int) -> None:
    """Let `memory_limit` return this from now on, in a process where the system enforces it already."""
    _CHOSEN.set(limit)


def check_memory(needed: float, place: str, remedy: str = "read a smaller file") -> None:
    """Raise if a file declares that it needs more bytes of memory than may be used."""
    if needed > memory_limit():
        raise InputError(
            f"{place} needs {format_bytes(needed)} of memory, and the limit is {format_bytes(memory_limit())}; "
            f"{remedy}, or raise the limit with --memory"
        )


def read_file(path: Path, times: int = PARSED) -> bytes:
    """The bytes of a file that somebody else made, if `times` as many fit into memory, with what is parsed from them.

    Pipes and devices are refused: of one, nothing may ever come, and of the other, there may be no end.
    """
    state = path.stat()
    if not S_ISREG(state.st_mode) and not S_ISDIR(state.st_mode):
        raise InputError(f"{path} is a pipe or a device; expected a file")
    check_memory(times * state.st_size, str(path))
    return path.read_bytes()


@contextmanager
def limit_memory(limit: int | None) -> Iterator[None]:
    """Apply a limit for a while, also to processes that are started meanwhile; None stands for the usual share.

    What is in use already does not count. A timer compares what is used with the limit, and raises in the main thread.
    The limit of the system is higher: it stops a single huge allocation. Below it, native libraries abort the process
    or never return when they cannot allocate their own buffers.
    """
    token = _CHOSEN.set(limit)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    counted, _ = _used_memory()
    bounds = [bound for bound in (counted + memory_limit() + RESERVE, hard) if bound != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (min(bounds), hard))
        with _watch(memory_limit()):
            yield
    except Exception as error:
        if isinstance(error, MemoryError) or (not isinstance(error, VestigeError) and _USED_UP.search(str(error))):
            raise InputError(
                f"this needs more memory than the limit of {format_bytes(memory_limit())}; lower --sample or "
                "--targets, or raise the limit with --memory"
            ) from error
        raise
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        _CHOSEN.reset(token)


@contextmanager
def _watch(limit: int) -> Iterator[None]:
    """Raise a MemoryError in the main thread when more is used than now plus the limit; nothing in other threads."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _, before = _used_memory()

    def look(*_: object) -> None:
        if _used_memory()[1] - before > limit:
            raise MemoryError

    previous = signal.signal(signal.SIGPROF, look)
    signal.siginterrupt(signal.SIGPROF, False)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL_S, INTERVAL_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def parse_bytes(written: str) -> int:
    """The bytes that a size such as "4GB", "512MiB" or "1.5g" stands for."""
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,6})?)\s*([kmgt]?i?)b?\s*", written, re.IGNORECASE)
    count = int(float(match[1]) * UNITS.get(match[2].lower(), 0)) if match else 0
    if count < SMALLEST:
        raise InputError(f"--memory {written!r} is not a size of at least 256MiB; expected one such as 4GB or 512MiB")
    return min(count, LARGEST)


def format_bytes(count: float) -> str:
    """A size for people, such as 1.5 GB."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def _used_memory() -> tuple[int, int]:
    """The bytes that the system's limit counts, and those in use without mapped files; zeros if it does not say."""
    try:
        pages = [int(count) for count in Path("/proc/self/statm").read_text().split()]
    except (OSError, ValueError):
        return 0, 0
    size = os.sysconf("SC_PAGE_SIZE")
    return pages[5] * size, (pages[1] - pages[2]) * size


def _machine_memory() -> int:
    """The memory of the machine, or of the container if that is less."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(physical, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    except (OSError, ValueError):
        return physical
