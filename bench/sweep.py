"""Minutes of `vestige defend` without arguments, and how that compares with an audit of the same vectors.

The sweep tries every defense on the embedded complaints with MiniLM; it is to end in less than ten minutes. The peer is
`vestige audit` without arguments, in the same run. Both are new processes with empty folders, so nothing is remembered.
On a busy machine a process waits for its turn; its processor time, of all threads, hardly depends on what else runs.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

ROOT = Path(__file__).parent.parent
RUN = "from vestige.cli.entry import main; main()"
LIMIT = 10


@dataclass(frozen=True)
class Duration:
    """Seconds of a command: on the clock, and of processor time in all of its threads and processes."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.processor / 60:.1f} minutes of processor time, {self.clock / 60:.1f} minutes on the clock"


def run() -> Iterator[str]:
    """What both commands took, the defenses that were tried, and what the sweep concluded."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        swept, audited = (_time(f"{command} --out {command}", folder) for command in ("defend", "audit"))
        result = json.loads((folder / "defend" / "frontier.json").read_text())
    yield f"vestige defend without arguments (at most {LIMIT} minutes): {swept}"
    yield f"vestige audit without arguments: {audited}"
    yield f"processor time of the sweep: {swept.processor / audited.processor:.1f} times that of the audit"
    for number, each in enumerate(result["rungs"], 1):
        size = f"{each['pairs']:,} pairs and {each['targets']:,} targets"
        yield f"round {number}: {each['judged']} defenses at {size}, {each['dropped']} dropped"
    yield result["headline"]
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[2]
    yield f"on {cores} of {os.cpu_count()} cores, with a load average of {load:.1f} in the last 15 minutes"


def _time(command: str, folder: Path) -> Duration:
    """What a command took in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "XDG_CACHE_HOME": str(folder / "cache")}
    words = [sys.executable, "-c", RUN, *command.split(), "--quiet"]
    started, before = time.perf_counter(), _sum_processor_time()
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"vestige {command} ended with exit code {done.returncode}: {done.stderr[-500:]}")
    return Duration(time.perf_counter() - started, _sum_processor_time() - before)


def _sum_processor_time() -> float:
    """Seconds that the processes which ended so far, and their own, spent on a processor."""
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
