"""Records to plain JSON values and back. Floats are kept to six places, so that the same run gives the same bytes."""

import json
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from vestige.errors import InputError

PLACES = 6

Record = TypeVar("Record")


def to_plain(value: Any) -> Any:
    """Dataclasses become objects, tuples become lists."""
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    return round(value, PLACES) if isinstance(value, float) else value


def from_plain(kind: type[Record], plain: Any) -> Record:
    """The record a plain value came from."""
    try:
        return _built(kind, plain)  # type: ignore[no-any-return]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"the record does not fit {kind.__name__} ({error}); it was written by another version"
        ) from error


def dumps(value: Any) -> str:
    """JSON with sorted keys, a line a value, ready for a diff."""
    return json.dumps(to_plain(value), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _built(kind: Any, plain: Any) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{field.name: _built(hints[field.name], plain[field.name]) for field in fields(kind)})
    if get_origin(kind) is tuple:
        return tuple(_built(get_args(kind)[0], item) for item in plain)
    if get_origin(kind) is UnionType:
        options = [option for option in get_args(kind) if option is not NoneType]
        return _built(options[0], plain) if plain is not None and len(options) == 1 else plain
    return float(plain) if kind is float else plain
