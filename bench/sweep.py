"""Minutes of `vestige defend` without arguments, and how that compares with an audit of the same vectors.

The sweep tries every defense on the embedded complaints with MiniLM; it is to end in less than ten minutes. The peer is
`vestige audit` without arguments, in the same run. Both are new processes with empty folders, so nothing is remembered.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
RUN = "from vestige.cli.entry import main; main()"
LIMIT = 10


def run() -> Iterator[str]:
    """The minutes of both commands, the defenses that were tried, and what the sweep concluded."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        swept, audited = (_time(f"{command} --out {command}", folder) for command in ("defend", "audit"))
        result = json.loads((folder / "defend" / "frontier.json").read_text())
    yield f"vestige defend without arguments (at most {LIMIT} minutes): {swept / 60:.1f} minutes"
    yield f"vestige audit without arguments: {audited / 60:.1f} minutes, so the sweep takes {swept / audited:.1f} times"
    for number, each in enumerate(result["rungs"], 1):
        size = f"{each['pairs']:,} pairs and {each['targets']:,} targets"
        yield f"round {number}: {each['judged']} defenses at {size}, {each['dropped']} dropped"
    yield result["headline"]
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[2]
    yield f"ran on {cores} of {os.cpu_count()} cores; load average of the last 15 minutes {load:.1f}"


def _time(command: str, folder: Path) -> float:
    """The seconds of a command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "XDG_CACHE_HOME": str(folder / "cache")}
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", RUN, *command.split(), "--quiet"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"vestige {command} ended with exit code {done.returncode}: {done.stderr[-500:]}")
    return time.perf_counter() - started
