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
