"""The engine `ray`: items on the actors of a Ray cluster."""

import logging
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from vestige.engine.job import Item, Job, Outcome, Result, run_on_pool
from vestige.engine.ray_actors import Actors, count_machines, count_resource
from vestige.engine.threads import count_allowed_cores, count_cores
from vestige.errors import InputError, MissingExtra
from vestige.types import Advance

ANSWER = 10.0
"""Seconds within which the machine of an address must answer; Ray itself tries for minutes."""


@dataclass(frozen=True)
class RayEngine:
    """Runs jobs on the Ray cluster that this process is connected to.

    Without a number, there are as many `workers` as its cores allow, or cards where the job needs one. An item that
    uses many cores is given them: two that share them would wait for each other. Each machine has one worker at least.
    """

    workers: int | None = None
    is_cluster: ClassVar[bool] = True

    def run(
        self, job: Job[Item, Result], items: Iterable[Item], total: int, advance: Advance
    ) -> Iterator[Outcome[Result]]:
        """Run the job on actors; whatever happens, none of them is left."""
        if not total:
            return
        usual = count_resource("GPU") if job.card else max(count_machines(), count_resource("CPU") // job.cores)
        if not usual:
            raise InputError(
                "no machine of the Ray cluster has a graphics card; add one, start Ray with --num-gpus, or use "
                "--device cpu"
            )
        pool = Actors(job, min(self.workers or usual, total), advance)
        try:
            yield from run_on_pool(job, items, total, pool)
        finally:
            pool.close()


@contextmanager
def connect(address: str | None, workers: int | None = None) -> Iterator[RayEngine]:
    """Connect to a cluster, or start one on this machine if there is no address, with one worker per core at most."""
    try:
        import ray
    except ImportError:
        raise MissingExtra("Ray", "ray") from None
    if ray.is_initialized():
        yield RayEngine(workers)
        return
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    workers = min(workers, count_allowed_cores()) if workers and address is None else workers
    here: dict[str, Any] = {"num_cpus": workers or count_cores(), "include_dashboard": False}
    try:
        _check_answers(address or "")
        ray.init(
            address=address or "local",
            log_to_driver=False,
            logging_level=logging.ERROR,
            namespace="vestige",
            **({} if address else here),
        )
    except Exception as error:  # Ray raises no kind of its own if its processes do not start in time.
        raise InputError(_describe_no_cluster(address, error)) from None
    try:
        yield RayEngine(workers)
    finally:
        ray.shutdown()


def _describe_no_cluster(address: str | None, error: Exception) -> str:
    reason = str(error).strip().partition("\n")[0]
    if address is None:
        return (
            f"Ray did not start on this machine ({reason}); try again when it is less busy, or start Ray with "
            "`ray start --head` and add --address auto"
        )
    sends_token = os.environ.get("RAY_AUTH_MODE") == "token"
    token = "" if sends_token else "; if the cluster asks for a token, set RAY_AUTH_MODE=token"
    remedy = f"start one with `ray start --head`, or check --address{token}"
    return f"no Ray cluster answers at '{address}' ({reason}); {remedy}"


def _check_answers(address: str) -> None:
    """Raise OSError if nobody listens at HOST:PORT."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()
