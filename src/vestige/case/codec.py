"""Records to plain JSON values and back. Floats have six places, so that the same run gives the same bytes."""

import json
import re
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from vestige.errors import InputError

PLACES = 6

_INVISIBLE = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]")
"""Characters that JSON leaves as they are, and that control a terminal or cannot be encoded."""

Record = TypeVar("Record")


def key(name: str) -> dict[str, str]:
    """The metadata of a field whose key in JSON is not its name, so that files keep their format."""
    return {"key": name}


def to_plain(value: Any) -> Any:
    """Dataclasses become objects, tuples become lists."""
    if is_dataclass(value):
        return {_key_of(field): to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    return round(value, PLACES) if isinstance(value, float) else value


def from_plain(kind: type[Record], plain: Any) -> Record:
    """The record a plain value came from."""
    try:
        return _build(kind, plain)  # type: ignore[no-any-return]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"the record does not fit {kind.__name__} ({error}); it was written by another version"
        ) from error


def round_fields(record: Any) -> None:
    """Replace the fields of a new frozen record by what would be read back from its JSON.

    Then a result equals the one that is read from its file, and every reader sees the numbers that were written.
    """
    kind: Any = type(record)
    hints = _hints_of(kind)
    for field in fields(record):
        object.__setattr__(record, field.name, _build(hints[field.name], to_plain(getattr(record, field.name))))


def dumps(value: Any) -> str:
    """JSON with sorted keys and one value per line, ready for a diff."""
    written = json.dumps(to_plain(value), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", written) + "\n"


def _build(kind: Any, plain: Any) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints_of(kind)
        present = [field for field in fields(kind) if _key_of(field) in plain or field.default is MISSING]
        return kind(**{field.name: _build(hints[field.name], plain[_key_of(field)]) for field in present})
    if get_origin(kind) is tuple:
        return tuple(_build(get_args(kind)[0], item) for item in plain)
    if get_origin(kind) is UnionType:
        options = [option for option in get_args(kind) if option is not NoneType]
        return _build(options[0], plain) if plain is not None and len(options) == 1 else plain
    return float(plain) if kind is float else plain


@cache
def _hints_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _key_of(field: "Field[Any]") -> str:
    name: str = field.metadata.get("key", field.name)
    return name
