"""Rows as a database gives them, one mapping each, made into Arrow columns."""

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
        if len(names) > MOST_COLUMNS:
            raise InputError(
                f"{place} has more than {MOST_COLUMNS:,} columns; expected a few, and what is of a row alone in one of "
                "them; export the vectors and the columns that matter"
            )
    return list(names)


def _column(values: list[Any], kind: Any, place: str) -> Any:
    import pyarrow as pa

    if values and all(isinstance(value, np.ndarray) and len(value) == len(values[0]) for value in values):
        return as_column(np.stack(values))
    if kind is not None:
        with suppress(pa.ArrowException, TypeError):
            return pa.array(values, type=kind)
    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError) as error:
        if not any(isinstance(value, list | np.ndarray) for value in values):
            return pa.array([None if value is None else str(value) for value in values])
        raise InputError(f"{place} mixes kinds of values ({error}); expected one kind") from error
