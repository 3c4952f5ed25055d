"""Sizes of a run that the user sets, as in `epochs=30`; each is of the type of its field."""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from vestige.errors import InputError
from vestige.registry import nearest

Sizes = TypeVar("Sizes")

NONE = "none"
_FLAGS = {"true": True, "false": False}


def override_sizes(sizes: Sizes, given: Iterable[str]) -> Sizes:
    """The sizes with these changes, each of the form NAME=VALUE; the last of several for one name counts.

    A size inside a group of sizes is named with a dot, as in `strengths.shares=0.01,0.5`.
    """
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise InputError(f"--set '{text}' is not of the form NAME=VALUE, as in epochs=30")
        sizes = _override(sizes, name, name.split("."), value)
    return sizes


def list_sizes(sizes: Any) -> dict[str, Any]:
    """The names that can be set and the type of each; those inside a group have its name and a dot before them."""
    hints, found = get_type_hints(type(sizes)), {}
    for field in fields(sizes):
        value = getattr(sizes, field.name)
        inner = list_sizes(value) if is_dataclass(value) else {}
        found |= {f"{field.name}.{name}": kind for name, kind in inner.items()} or {field.name: hints[field.name]}
    return found


def _override(sizes: Sizes, name: str, path: list[str], value: str) -> Sizes:
    known = list_sizes(sizes)
    if (own := ".".join(path)) not in known:
        names = [f"{name.removesuffix(own)}{each}" for each in known]
        raise InputError(f"--set knows no size '{name}'; {nearest(name, names)}")
    first, *inner = path
    record: Any = sizes
    changed = _override(getattr(record, first), name, inner, value) if inner else _parse(name, value, known[own])
    return replace(record, **{first: changed})  # type: ignore[no-any-return]


def _parse(name: str, text: str, kind: Any) -> Any:
    """The value of a text, for a field of this type."""
    options = [option for option in get_args(kind) if option is not NoneType] if NoneType in get_args(kind) else [kind]
    if len(options) < len(get_args(kind)) and text.lower() == NONE:
        return None
    if get_origin(options[0]) is tuple:
        item = get_args(options[0])[0]
        return tuple(_parse_one(name, part, item) for part in text.split(",") if part)
    return _parse_one(name, text, options[0])


def _parse_one(name: str, text: str, kind: Any) -> Any:
    parsers: dict[Any, tuple[str, Callable[[str], Any]]] = {
        int: ("a whole number", int),
        float: ("a number", float),
        bool: ("true or false", lambda word: _FLAGS[word.lower()]),
        str: ("a text", str),
    }
    if kind not in parsers:
        raise InputError(f"--set cannot change '{name}'; it has no short form")
    expected, parse = parsers[kind]
    try:
        return parse(text)
    except (ValueError, KeyError) as error:
        raise InputError(f"--set {name}={text}: expected {expected}; for several, separate them by commas") from error
