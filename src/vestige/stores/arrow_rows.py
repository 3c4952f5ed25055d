"""Rows as a database gives them, one mapping each, made into Arrow columns."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_vectors import as_column

MOST_COLUMNS = 10_000


def as_table(rows: Sequence[Mapping[str, Any]], names: Sequence[str], place: str, schema: Any = None) -> Any:
    """An Arrow table of these columns, of the types in `schema` where they fit.

    A value that a row lacks is null; values of mixed kinds are strings.
    """
    import pyarrow as pa

    kinds = {} if schema is None else {field.name: field.type for field in schema}
    return pa.table(
        {name: _column([row.get(name) for row in rows], kinds.get(name), f"{place} column '{name}'") for name in names}
    )


def names_in(rows: Sequence[Mapping[str, Any]], place: str) -> list[str]:
    """The columns that any of the rows has, in the order they come up."""
    names: dict[str, None] = {}
    for row in rows:
        names |= dict.fromkeys(row)
        check_count(len(names), place)
    return list(names)


def check_count(columns: int, place: str) -> None:
    """Refuse what has a column for every row."""
    if columns > MOST_COLUMNS:
        raise InputError(
            f"{place} has more than {MOST_COLUMNS:,} columns; expected a few, and what is of a row alone in one of "
            "them; export the vectors and the columns that matter"
        )


def _column(values: list[Any], kind: Any, place: str) -> Any:
    import pyarrow as pa

    if values and all(isinstance(value, np.ndarray) and len(value) == len(values[0]) for value in values):
        return as_column(np.stack(values))
    if kind is not None and _keeps(values, kind):
        with suppress(pa.ArrowException, TypeError):
            return pa.array(values, type=kind)
    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError) as error:
        if not any(map(_is_vector, values)):
            return pa.array(list(map(_as_string, values)))
        raise InputError(f"{place} mixes kinds of values ({error}); expected one kind") from error


def _keeps(values: Sequence[Any], kind: Any) -> bool:
    """Whether a type has a place for every key of nested mappings: Arrow drops the others without a word."""
    import pyarrow as pa

    if pa.types.is_struct(kind):
        fields, held = {field.name: field.type for field in kind}, [value for value in values if value is not None]
        if not all(isinstance(value, Mapping) and value.keys() <= fields.keys() for value in held):
            return False
        return all(_keeps([value.get(name) for value in held], inner) for name, inner in fields.items())
    if pa.types.is_list(kind) and pa.types.is_nested(kind.value_type):
        return _keeps([each for value in values if isinstance(value, list) for each in value], kind.value_type)
    return True


def _is_vector(value: Any) -> bool:
    numbers = isinstance(value, list) and len(value) > 0 and all(isinstance(each, int | float) for each in value)
    return numbers or isinstance(value, np.ndarray)


def _as_string(value: Any) -> str | None:
    """What is nested as JSON."""
    if isinstance(value, Mapping | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return None if value is None else str(value)
