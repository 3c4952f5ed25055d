"""Defenses by name, built in or from plugins, and defenses from a spec such as "rounding:2" or "laplace:eps=1"."""

import inspect
from typing import Any

from vestige.defenses.defense import Defense, DefenseInfo
from vestige.errors import InputError
from vestige.registry import Entry, Registry, find_declared, nearest


def _find_defenses() -> dict[str, Entry]:
    found = {}
    for place, kind in find_declared("vestige.defenses", "info").items():
        info: DefenseInfo = kind.info
        found[info.name] = Entry(place, _describe(kind), needs=info.library, extra=info.extra, strict=False)
    return found


def _check(loaded: Any) -> str | None:
    if not (isinstance(loaded, type) and issubclass(loaded, Defense)):
        return "the class must derive from vestige.defenses.defense.Defense"
    if not isinstance(getattr(loaded, "info", None), DefenseInfo):
        return "the class must declare `info`, a DefenseInfo"
    missing = sorted(getattr(loaded, "__abstractmethods__", ()))
    return f"the class has no method {' and no '.join(missing)}" if missing else None


def _describe(kind: type[Defense]) -> str:
    return f"{kind.info.summary} ({kind.info.paper})" if kind.info.paper else kind.info.summary


DEFENSES = Registry("defense", _find_defenses, "vestige.defenses", _check, _describe)
"""Vectors to vectors that reveal less."""


def make_defense(spec: str) -> Defense:
    """The unfitted defense that a spec names.

    Settings follow a colon and are separated by commas: `name=value`, where the name may be shortened ("eps"). The
    first may be a bare value, which sets the defense's strength.
    """
    family, colon, written = spec.partition(":")
    if colon and not written.strip():
        raise InputError(f"defense '{spec}' has nothing after the colon; give a setting, or remove the colon")
    kind: type[Defense] = DEFENSES[family].load()
    settings: dict[str, Any] = {}
    for place, part in enumerate(written.split(",") if written else []):
        name, equals, value = part.partition("=")
        if equals:
            settings[_full_name(spec, kind, name)] = _parse(value)
        elif kind.info.strength and not place:
            settings[kind.info.strength] = _parse(part)
        else:
            raise InputError(f"defense '{spec}' has '{part}' where a setting belongs; expected name=value")
    defense = kind(**settings)
    defense.check_settings()
    return defense


def find_info(spec: str) -> DefenseInfo:
    """The declaration of the defense that a spec names, such as "gaussian:3000" or "leace@product"."""
    info: DefenseInfo = DEFENSES[spec.partition("@")[0].partition(":")[0]].load().info
    return info


def list_strengths(name: str, dimension: int) -> list[str]:
    """The specs of a defense that a sweep tries for vectors of this dimension, from mild to strong."""
    kind: type[Defense] = DEFENSES[name].load()
    return [f"{name}:{max(strength, 1)}" for strength in kind.info.strengths(dimension)] or [name]


def _full_name(spec: str, kind: type[Defense], short: str) -> str:
    """The only setting that begins with `short`."""
    names = list(inspect.signature(kind).parameters)
    matching = [name for name in names if name.startswith(short.strip())]
    if short in names or len(matching) == 1:
        return short if short in names else matching[0]
    raise InputError(f"defense '{spec}' has no single setting '{short}'; {nearest(short, names)}")


def _parse(written: str) -> Any:
    """A number if it is one, a truth value, else the word."""
    for number in (int, float):
        try:
            return number(written)
        except (ValueError, OverflowError):
            continue
    return {"true": True, "false": False}.get(written.strip().lower(), written.strip())
