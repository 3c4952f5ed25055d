"""Sizes of a run that the user sets, as in `epochs=30`; each is of the type of its field."""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from vestige.errors import InputError
from vestige.registry import nearest

Sizes = TypeVar("Sizes")

NONE = "none"
_FLAGS = {"true": True, "false": False}


def override_sizes(sizes: Sizes, given: Iterable[str]) -> Sizes:
    """The sizes with these changes, each of the form NAME=VALUE; the last of several for one name counts."""
    record: Any = sizes
    hints = get_type_hints(type(record))
    known = {field.name: hints[field.name] for field in fields(record)}
    changes: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise InputError(f"--set '{text}' is not of the form NAME=VALUE, as in epochs=30")
        if name not in known:
            raise InputError(f"--set knows no size '{name}'; {nearest(name, known)}")
        changes[name] = _parse(name, value, known[name])
    return replace(record, **changes)  # type: ignore[no-any-return]


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
