"""Kills of a Ray cluster of three nodes on this machine: workers, nodes and the command itself, at random.

`protect` runs with noise until it is complete, however often it is killed; the folder that it writes must have the
bytes of a run on the engine `local` that nobody killed. A kill comes when a part was finished since the last one, so
that every kill hits a cluster that works.
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.engine import COMMAND, build_command, fit_defense, list_actors, parse_options, write_files

FEWEST_KILLS = 20
KINDS = {"worker": 0.6, "node": 0.25, "driver": 0.15}
ROWS, FILES = 400_000, 100
NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
ATTEMPTS = 5
STUCK = 300.0
"""Seconds without a finished part after which the soak has failed."""


def run() -> Iterator[str]:
    """Kill until at least 20 kills are counted and the last run is complete."""
    options = parse_options()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch, _start_cluster() as cluster:
        folder = Path(scratch)
        write_files(folder / "in", min(options.rows, ROWS), min(options.files, FILES))
        fitted = fit_defense(folder)
        here = build_command("protect", "local", 2, folder / "in", fitted)
        subprocess.run([sys.executable, "-c", COMMAND, *here], check=True, stdout=subprocess.DEVNULL)
        (folder / "out").rename(folder / "whole")
        soak = Soak(cluster, folder / "out", random.Random(options.seed))
        there = [*build_command("protect", "ray", 3, folder / "in", fitted), "--address", cluster.address]
        same = []
        while soak.kills.total() < FEWEST_KILLS:
            soak.run(there)
            same.append(_digest(folder / "out") == _digest(folder / "whole"))
            shutil.rmtree(folder / "out")
        yield _describe(soak.kills, same, min(options.files, FILES))


def _describe(kills: Counter[str], same: list[bool], parts: int) -> str:
    counts = ", ".join(f"{kills[kind]} of {kind}s" for kind in KINDS)
    return (
        f"{kills.total()} kills ({counts}) in {len(same)} run{'s' * (len(same) > 1)} of {parts} parts: "
        f"{sum(same)} of {len(same)} ended with the bytes of a run without kills"
    )


@contextmanager
def _start_cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head = {**NODE, "include_dashboard": False}
    cluster = _persist(lambda: Cluster(initialize_head=True, head_node_args=head))
    try:
        for _ in range(2):
            _persist(lambda: cluster.add_node(**NODE))
        yield cluster
    finally:
        cluster.shutdown()


def _persist(start: Callable[[], Any]) -> Any:
    """Start a node; Ray allows it half a minute, which is too short on a busy machine."""
    for _ in range(ATTEMPTS - 1):
        with suppress(Exception):
            return start()
    return start()


@dataclass
class Soak:
    """Runs a command on a cluster to its end, and kills what it needs; `kills` counts by kind."""

    cluster: Any
    out: Path
    rng: random.Random
    kills: Counter[str] = field(default_factory=Counter)

    def run(self, arguments: list[str]) -> None:
        """Run a command, and again after each of its deaths, until it is complete."""
        while True:
            process = subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.DEVNULL)
            while self._wait_for_a_part(process):
                time.sleep(self.rng.uniform(0.0, 0.5))
                if process.poll() is None:
                    self._kill(process)
            if process.wait() == 0:
                return
            if process.returncode != -signal.SIGKILL:
                raise RuntimeError(f"the run ended with {process.returncode} after {dict(self.kills)}")

    def _wait_for_a_part(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until another part is finished; False if the command has ended."""
        before, began = self._count_parts(), time.monotonic()
        while process.poll() is None and self._count_parts() <= before:
            if time.monotonic() - began > STUCK:
                raise RuntimeError(f"no part was finished in {STUCK:.0f} seconds after {dict(self.kills)}")
            time.sleep(0.05)
        return process.poll() is None

    def _count_parts(self) -> int:
        return len(list((self.out / "_records").glob("0*.json")))

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        [kind] = self.rng.choices(list(KINDS), list(KINDS.values()))
        if kind == "driver":
            process.kill()
            process.wait()
        elif kind == "node":
            self.cluster.remove_node(self.rng.choice(sorted(self.cluster.worker_nodes, key=str)), allow_graceful=False)
            _persist(lambda: self.cluster.add_node(**NODE))
        elif not self._kill_worker():
            return
        self.kills[kind] += 1

    def _kill_worker(self) -> bool:
        """Kill a worker; False if none is there."""
        for actor in self.rng.sample(found := sorted(list_actors(os.getpid())), len(found)):
            with suppress(ProcessLookupError):
                os.kill(actor, signal.SIGKILL)
                return True
        return False


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
