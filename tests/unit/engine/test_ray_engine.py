"""What can be said of the engine `ray` without a cluster; tests/slow has a cluster."""

import time

import pytest

from vestige.engine.ray_engine import connect
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
