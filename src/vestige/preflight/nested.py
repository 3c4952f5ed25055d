"""Strings inside of nested payload, by the path that leads to them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from vestige.preflight.marks import KINDS

DEEPEST, MOST_PATHS, MOST_STRINGS = 8, 200, 1000
"""Levels, paths of a column, and strings of a cell that are told apart."""

APART = "\x1f"
"""Stands between the strings of a list; white space to a reader of words, and in no text."""

_NAME = re.compile(r"[\w -]{1,40}")


def strings_of(name: str, values: Sequence[Any]) -> dict[str, list[str]]:
    """The strings of a column by path, a cell a row: a plain column has one, a mapping such as `name.author.email`.

    The strings of a list share a cell. What is beyond the most paths is told under the column's own name.
    """
    found: dict[str, list[str]] = {}
    for row, value in enumerate(values):
        for path, text in islice(_strings(name, value), MOST_STRINGS):
            known = path in found or len(found) < MOST_PATHS
            cells = found.setdefault(path if known else name, [""] * len(values))
            cells[row] = f"{cells[row]}{APART}{text}" if cells[row] else text
    return found


def longest_of(cell: str) -> str:
    """The longest string of a list: many short ones make no text."""
    return max(cell.split(APART), key=len)


def _strings(path: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    value = _parsed(value)
    if isinstance(value, Mapping | list | tuple):
        if depth == DEEPEST:
            yield path, str(value)
            return
        for place, inner in _inside(path, value):
            yield from _strings(place, inner, depth + 1)
    elif isinstance(value, str) and value.strip():
        yield path, value.strip()


def _inside(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield from ((path, inner) for inner in value)
        return
    for key, inner in value.items():
        told = _tells(str(key))
        if told:
            yield f"{path}.*", str(key)
        yield f"{path}.{'*' if told else key}", inner


def _tells(key: str) -> bool:
    """Whether a key may be data, and not a name that a report may show."""
    return _NAME.fullmatch(key) is None or any(find(key) for find in KINDS.values())


def _parsed(value: Any) -> Any:
    """A mapping or list that lies there as JSON, as databases keep them; all else stays."""
    if not isinstance(value, str) or value[:1] + value[-1:] not in ("{}", "[]"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
