"""How the benchmark of the engines counts the time of processes."""

import pytest
from bench import engine

COMMAND, STORE, WORKER = 10, 11, 12


def test_a_worker_is_one_before_it_has_a_name_and_after_it_has_ended(monkeypatch):
    """Ray names a process when it becomes a worker, and a process that has ended has no command line."""
    times, names = {}, set()
    monkeypatch.setattr(engine, "_list_descendants", lambda _root: [STORE, WORKER])
    monkeypatch.setattr(engine, "_is_actor", lambda process: process in names)
    monkeypatch.setattr(engine, "_read_processor_time", lambda process: times[process])
    monkeypatch.setattr(engine, "_read_peak", lambda _process: 1.0)
    found = engine.Measured()
    for seconds, named in (
        ({COMMAND: 1.0, STORE: 1.0, WORKER: 2.0}, ()),
        ({COMMAND: 2.0, STORE: 1.5, WORKER: 50.0}, [WORKER]),
        ({COMMAND: 3.0, STORE: 2.0, WORKER: 170.0}, ()),
    ):
        times.update(seconds)
        names.clear()
        names.update(named)
        found.look(COMMAND, ray=True)
    assert found.spent == pytest.approx({COMMAND: 3.0, WORKER: 170.0})
    assert found.services == pytest.approx({STORE: 2.0})
