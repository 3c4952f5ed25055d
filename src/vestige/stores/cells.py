"""Vectors as they are written into cells of text."""

import json
import re
from collections.abc import Sequence
from typing import Any

from vestige.errors import InputError
from vestige.text.block import Block

_NUMBERS = re.compile(r'(?<!\\)"\s*:\s*\[[-+.,\s\deE]+\]')
"""A list of numbers after its name: no string holds a quote that is not escaped, so none is taken for it."""


def read_cell(value: Any, place: str) -> Any:
    """A list that is written as a string becomes a list; all else stays."""
    if not (isinstance(value, str) and value.startswith("[") and value.endswith("]")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise InputError(
            f"{place} holds {value[:30]!r}; expected a list of numbers with commas, such as [0.1, 0.2]"
        ) from None


def read_object(line: str, place: str) -> dict[str, Any]:
    """The JSON object that a line holds."""
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{place} is not JSON ({error}); expected one JSON object a line") from error
    if not isinstance(row, dict):
        raise InputError(f"{place} holds a {type(row).__name__}; expected one JSON object a line")
    return row


def held_in(line: str, place: str) -> set[str]:
    """The names under which an object holds something. Lists of numbers are passed over, which is most of the work."""
    row = read_object(_NUMBERS.sub('":0', line), place)
    return {name for name, value in row.items() if value is not None}


def folded(block: Block) -> dict[str, list[Any]]:
    """Columns of one stem that are numbered without a gap become one of lists, under the stem or as "vector"."""
    stems: dict[str, list[str]] = {}
    for name in block.columns:
        if found := re.fullmatch(r"(.*?)[_. ]?\d+", name):
            stems.setdefault(found[1], []).append(name)
    columns = dict(block.columns)
    for stem, names in stems.items():
        rows = zip(*(columns[name] for name in names), strict=True)
        if len(names) > 1 and _are_counted(names) and any(vectors := [_numbers(row) for row in rows]):
            columns = {name: values for name, values in columns.items() if name not in names}
            columns[stem or "vector"] = vectors
    return columns


def _are_counted(names: Sequence[str]) -> bool:
    numbers = [int(re.findall(r"\d+$", name)[0]) for name in names]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(names)))


def _numbers(cells: Sequence[Any]) -> list[float] | None:
    try:
        return [float(cell) for cell in cells]
    except (TypeError, ValueError):
        return None
