"""A simulated cluster: the schedule and the loop of the real engines, driven by a virtual clock.

For slow and failing machines; the figures do not depend on the machine that it runs on.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vestige.engine.job import Event, FailedItems, Job, Worker, run_on_pool
from vestige.protect.tables import BLOCK_VALUES, PART_BLOCKS


@dataclass
class VirtualPool:
    """Workers of a simulated cluster with a virtual clock, driven by the loop of the real engines.

    An item takes `seconds`, longer on a slow machine. A machine dies on average every `lifetime` seconds, and another
    takes its place after `startup` seconds. One worker per machine.
    """

    size: int
    seconds: float
    rng: np.random.Generator
    slow_share: float = 0.0
    slow_factor: float = 1.0
    lifetime: float = float("inf")
    startup: float = 60.0
    clock: float = 0.0
    deaths: int = 0
    started: int = 0
    _next: int = 0
    _speed: dict[int, float] = field(default_factory=dict)
    _dies: dict[int, float] = field(default_factory=dict)
    _joins: dict[int, float] = field(default_factory=dict)
    _ends: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for _ in range(self.size):
            self._hire(0.0)

    def list_idle(self) -> Sequence[Worker]:
        """Workers that have joined and have no item."""
        return [
            Worker(number, str(number))
            for number, joins in self._joins.items()
            if joins <= self.clock and number not in self._ends
        ]

    def list_homes(self) -> frozenset[str]:
        """One machine per worker."""
        return frozenset(map(str, self._joins))

    def start(self, worker: Worker, item: Any) -> None:  # noqa: ARG002
        """Note when the item will end."""
        self.started += 1
        jitter = float(self.rng.uniform(0.9, 1.1))
        self._ends[worker.number] = self.clock + self.seconds * self._speed[worker.number] * jitter

    def wait(self) -> Sequence[Event]:
        """Advance the clock to whatever happens next."""
        ends = [(self._ends[number], 0, number) for number in self._ends]
        dies = [(moment, 1, number) for number, moment in self._dies.items()]
        joins = [(moment, 2, number) for number, moment in self._joins.items() if moment > self.clock]
        polls = [(self.clock + self.seconds / 10, 3, -1)] if self.list_idle() else []
        self.clock, kind, number = min([*ends, *dies, *joins, *polls])
        worker = Worker(number, str(number))
        if kind == 0:
            del self._ends[number]
            return [Event(worker, "result", number)]
        return self._die(worker) if kind == 1 else []

    def now(self) -> float:
        """The virtual clock."""
        return self.clock

    def _hire(self, joins: float) -> None:
        number, self._next = self._next, self._next + 1
        self._joins[number] = joins
        self._speed[number] = self.slow_factor if self.rng.random() < self.slow_share else 1.0
        if self.lifetime < float("inf"):
            self._dies[number] = joins + float(self.rng.exponential(self.lifetime))

    def _die(self, worker: Worker) -> list[Event]:
        self.deaths += 1
        for known in (self._speed, self._dies, self._joins):
            del known[worker.number]
        self._hire(self.clock + self.startup)
        return [Event(worker, "lost")] if self._ends.pop(worker.number, None) is not None else []


@dataclass(frozen=True)
class Simulated:
    """The time of a run as a multiple of the ideal one, starts of parts, deaths of machines, and failed parts."""

    ratio: float
    started: int
    deaths: int
    failed: bool


def simulate(parts: int, pool: VirtualPool, *, repeats: bool = True) -> Simulated:
    """Run so many parts on a simulated cluster."""
    job: Job[Any, Any] = Job(work=None, repeats=repeats)  # type: ignore[arg-type]
    failed = False
    try:
        for _ in run_on_pool(job, range(parts), parts, pool):
            pass
    except FailedItems:
        failed = True
    ideal = pool.seconds * -(-parts // pool.size)
    return Simulated(pool.clock / ideal, pool.started, pool.deaths, failed)


CASES: dict[str, dict[str, Any]] = {
    "all machines alike": {},
    "5% of the machines 4 times slower": {"slow_share": 0.05, "slow_factor": 4.0},
    "5% of the machines 20 times slower": {"slow_share": 0.05, "slow_factor": 20.0},
    "each machine dies every 2 hours": {"lifetime": 7200.0},
    "each machine dies every 10 minutes": {"lifetime": 600.0},
    "both: 5% 20 times slower, death every 10 minutes": {"slow_share": 0.05, "slow_factor": 20.0, "lifetime": 600.0},
}


def run() -> Iterator[str]:
    """10^8 x 768 in the parts that `protect` makes of them, 30 seconds each, on 32 and on 320 workers."""
    logging.getLogger("vestige.engine").setLevel(logging.ERROR)  # Thousands of failed attempts, as intended.
    rows = PART_BLOCKS * (BLOCK_VALUES // 768)
    parts = -(-(10**8) // rows)
    yield (
        f"{parts:,} parts of {rows:,} rows, 30 s each; a machine that dies is replaced after 60 s; time as a multiple "
        "of the ideal one"
    )
    for workers in (32, 320):
        for name, options in CASES.items():
            found = [
                simulate(parts, VirtualPool(workers, 30.0, np.random.default_rng(0), **options), repeats=repeats)
                for repeats in (False, True)
            ]
            yield (
                f"{workers} workers, {name}: {found[0].ratio:.2f} without repeats, {found[1].ratio:.2f} with; "
                f"{found[1].deaths:,} deaths, {found[1].started - parts:,} parts started again, "
                f"{'some parts failed' if found[1].failed else 'no part failed'}"
            )
