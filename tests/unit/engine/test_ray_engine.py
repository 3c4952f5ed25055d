"""What can be said of the engine `ray` without a cluster; tests/slow has a cluster."""

import time
from contextlib import suppress
from dataclasses import replace

import pytest

from vestige.engine import ray_engine
from vestige.engine.job import Job
from vestige.engine.ray_engine import RayEngine, connect
from vestige.errors import InputError


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "127.0.0.1:99999", "nobody.invalid:6379"])
def test_an_address_where_nobody_listens_is_refused_at_once(address):
    pytest.importorskip("ray")
    began = time.monotonic()
    with pytest.raises(InputError, match=f"no Ray cluster answers at '{address}' .* check --address"), connect(address):
        pass
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("sends", [True, False])
def test_a_cluster_that_asks_for_a_token_is_explained(monkeypatch, sends):
    """Ray says only that it cannot connect; a cluster asks for a token as soon as there is one on its machine."""
    ray = pytest.importorskip("ray")

    def fail(**_options):
        raise ConnectionError("Failed to connect to Ray cluster at 192.0.2.2:6399")

    monkeypatch.setattr(ray, "init", fail)
    monkeypatch.setattr("vestige.engine.ray_engine._check_answers", lambda _address: None)
    monkeypatch.setenv("RAY_AUTH_MODE", "token" if sends else "disabled")
    with pytest.raises(InputError, match="check --address") as raised, connect("192.0.2.2:6399"):
        pass
    assert ("set RAY_AUTH_MODE=token" in str(raised.value)) == (not sends)


def test_ray_that_does_not_start_on_a_busy_machine_is_explained(monkeypatch):
    ray = pytest.importorskip("ray")

    def fail(**_options):
        raise Exception("The current node timed out during startup.\nTraceback")

    monkeypatch.setattr(ray, "init", fail)
    with (
        pytest.raises(InputError, match=r"^Ray did not start on this machine \(.* startup\.\); try again") as raised,
        connect(None),
    ):
        pass
    assert "Traceback" not in str(raised.value)


class Hired(Exception):
    """Ends a run when its workers would be hired."""


@pytest.mark.parametrize(
    ("cpus", "machines", "cores", "workers", "hired"),
    [
        (64, 2, 1, None, 64),
        (64, 2, 16, None, 4),
        (3, 3, 2, None, 3),
        (64, 2, 16, 7, 7),
        (640, 20, 1, None, 500),
    ],
)
def test_there_are_as_many_workers_as_the_cores_allow(monkeypatch, cpus, machines, cores, workers, hired):
    counts = []

    def hire(_job, count, _advance):
        counts.append(count)
        raise Hired

    monkeypatch.setattr(ray_engine, "count_resource", lambda _name: cpus)
    monkeypatch.setattr(ray_engine, "count_machines", lambda: machines)
    monkeypatch.setattr(ray_engine, "Actors", hire)
    job = replace(Job(work=None), cores=cores)
    with suppress(Hired):
        list(RayEngine(workers).run(job, range(500), 500, lambda _steps: None))
    assert counts == [hired]


@pytest.mark.parametrize(("address", "workers"), [(None, 2), ("192.0.2.2:6399", 1000)])
def test_ray_on_this_machine_has_one_worker_per_core_at_most(monkeypatch, address, workers):
    ray, started = pytest.importorskip("ray"), []
    monkeypatch.setattr(ray, "init", lambda **options: started.append(options))
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    monkeypatch.setattr(ray_engine, "_check_answers", lambda _address: None)
    monkeypatch.setattr(ray_engine, "count_allowed_cores", lambda: 2)
    with connect(address, 1000) as engine:
        assert engine.workers == workers
    assert started[0].get("num_cpus") == (2 if address is None else None)
