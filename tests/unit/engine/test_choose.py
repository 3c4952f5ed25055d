"""The engine that a user names."""

import pytest

from vestige.engine.choose import open_engine
from vestige.engine.local_engine import LocalEngine
from vestige.errors import InputError, MissingExtra


def test_the_default_is_this_machine():
    with open_engine() as engine:
        assert engine == LocalEngine()


def test_an_address_without_a_cluster_is_refused():
    with pytest.raises(InputError, match="add --engine ray"), open_engine("local", "host:6379"):
        pass


def test_ray_is_an_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with (
        pytest.raises(MissingExtra, match=r"Ray is not installed; get it with: .*\[ray\]"),
        open_engine("ray"),
    ):
        pass
