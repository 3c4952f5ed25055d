"""The probes of an audit in the order of their rank; they declare themselves, and those of plugins come last."""

from collections.abc import Sequence
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from vestige.case.settings import ANY_PROBE
from vestige.errors import InputError
from vestige.probes.probe import Probe
from vestige.registry import Registry, find_declared, nearest


def _check(loaded: Any) -> str | None:
    if isinstance(loaded, type) and issubclass(loaded, Probe):
        missing = sorted(getattr(loaded, "__abstractmethods__", ()))
        missing += [name for name in ("measures", "standards") if not hasattr(loaded, name)]
        return f"the class has no {' and no '.join(missing)}" if missing else _check_built(loaded.build_all())
    return "expected a subclass of vestige.probes.probe.Probe"


def _check_built(probes: Sequence[Probe]) -> str | None:
    """What is wrong with the probes of a plugin: they go into a digest, and their names must be free."""
    if not all(is_dataclass(probe) for probe in probes):
        return "the class must be a frozen dataclass"
    taken = {probe.name for probe in _build_builtin()} & {probe.name for probe in probes}
    return f"the name '{min(taken)}' is taken by a built-in probe" if taken else None


PLUGINS = Registry("probe", {}, "vestige.probes", _check)
"""Probe classes of other packages."""


@cache
def list_probes() -> tuple[Probe, ...]:
    """Every probe: the built-in ones by rank, then those of plugins."""
    return (*_build_builtin(), *(probe for _, entry in PLUGINS for probe in entry.load().build_all()))


def list_audited_recipes() -> tuple[str, ...]:
    """The published attacks that some probe runs."""
    return tuple(dict.fromkeys(recipe for probe in list_probes() for recipe in probe.list_recipes()))


def check_recipe(name: str) -> None:
    """Raise if no probe has this recipe."""
    if name in ANY_PROBE:
        return
    known = [*ANY_PROBE, *list_audited_recipes()]
    if name not in known:
        raise InputError(f"unknown recipe '{name}'; {nearest(name, known)}")


def choose_probes(names: Sequence[str]) -> tuple[Probe, ...]:
    """The named probes in their usual order, or all of them."""
    known = {probe.name: probe for probe in list_probes()}
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise InputError(f"unknown probe '{unknown}'; {nearest(unknown, list(known))}")
    return tuple(probe for name, probe in known.items() if not names or name in names)


@cache
def _build_builtin() -> tuple[Probe, ...]:
    kinds = sorted(find_declared("vestige.probes", "rank").values(), key=lambda kind: kind.rank)
    return tuple(probe for kind in kinds for probe in kind.build_all())
