"""The probes of an audit in the order of their rank; they declare themselves, and those of plugins come last."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from vestige.errors import InputError
from vestige.probes.probe import Probe
from vestige.registry import Registry, find_declared, nearest


def _check(loaded: Any) -> str | None:
    if isinstance(loaded, type) and issubclass(loaded, Probe):
        missing = sorted(getattr(loaded, "__abstractmethods__", ()))
        return f"the class has no method {' and no '.join(missing)}" if missing else None
    return "expected a subclass of vestige.probes.probe.Probe"


PLUGINS = Registry("probe", {}, "vestige.probes", _check)
"""Probe classes of other packages."""


@cache
def list_probes() -> tuple[Probe, ...]:
    """Every probe: the built-in ones by rank, then those of plugins."""
    builtin = sorted(find_declared("vestige.probes", "rank").values(), key=lambda kind: kind.rank)
    plugins = [entry.load() for _, entry in PLUGINS]
    return tuple(probe for kind in (*builtin, *plugins) for probe in kind.build_all())


def choose_probes(names: Sequence[str]) -> tuple[Probe, ...]:
    """The named probes in their usual order, or all of them."""
    known = {probe.name: probe for probe in list_probes()}
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise InputError(f"unknown probe '{unknown}'; {nearest(unknown, list(known))}")
    return tuple(probe for name, probe in known.items() if not names or name in names)
