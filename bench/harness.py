"""Ours and a peer take turns, so that whatever else the machine does falls on both."""

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Comparison:
    """Seconds of ours and of the peer, turn by turn."""

    what: str
    peer: str
    ours: list[float]
    theirs: list[float]
    note: str = ""

    def __str__(self) -> str:
        ratios = [peer / our for our, peer in zip(self.ours, self.theirs, strict=True)]
        return (
            f"{self.what}: {median(ratios):.1f}x as fast as {self.peer} "
            f"(spread {min(ratios):.1f} to {max(ratios):.1f} over {len(ratios)} turns; "
            f"{median(self.ours):.2f} s against {median(self.theirs):.2f} s){self.note}"
        )


def compare(
    what: str, ours: Callable[[], object], peer: str, theirs: Callable[[], object], *, turns: int, note: str = ""
) -> Comparison:
    """Time both, turn by turn."""
    times: list[tuple[float, float]] = [(_seconds(ours), _seconds(theirs)) for _ in range(turns)]
    return Comparison(what, peer, [our for our, _ in times], [peer for _, peer in times], note)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak_memory(work: Callable[..., object], *given: object) -> float:
    """The most memory, in MiB, that a process of its own held at this work, libraries and weights included."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        return process.submit(_peak, work, *given).result()


def _peak(work: Callable[..., object], *given: object) -> float:
    work(*given)
    return own_peak()


def own_peak() -> float:
    """The most memory, in MiB, that this process held. Not `ru_maxrss`: a child inherits that from its parent."""
    return _status("VmHWM")


def own_size() -> float:
    """The memory, in MiB, that this process holds now."""
    return _status("VmRSS")


def _status(field: str) -> float:
    return int(Path("/proc/self/status").read_text().split(f"{field}:")[1].split()[0]) / 1024
