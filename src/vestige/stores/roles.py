"""Which column of a store holds the vectors, which the texts, and which the ids."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.arrow_vectors import is_vector
from vestige.stores.records import Columns
from vestige.text.survey import TEXT_NAMES

VECTOR_NAMES = ("vector", "embedding", "embeddings", "vectors", "emb")
ID_NAMES = ("id", "ids", "_id", "uuid", "key", "pk", "rowid")


def find_columns(schema: Any, asked: Columns, place: str) -> tuple[Columns, tuple[str, ...]]:
    """The columns asked for and those found, and the names of the roles that were found and not asked for."""
    _check_known(schema.names, asked, place)
    vectors = asked.vectors or _vectors(schema, place)
    if _is_null(schema.field(vectors).type):
        raise InputError(
            f"{place} has no vector in '{vectors}' in any row that was looked at; expected one in every row, "
            "embed those rows or leave them out"
        )
    if not is_vector(schema.field(vectors).type):
        raise InputError(f"{place} holds {schema.field(vectors).type} in '{vectors}'; expected a vector a row")
    free = [name for name in schema.names if name not in (vectors, *(asked.attributes or ()))]
    ids = asked.ids or _by_name(ID_NAMES, [name for name in free if name != asked.texts])
    texts = asked.texts or _texts(schema, [name for name in free if name != ids])
    kinds = {name: schema.field(name).type for name in free if name not in (ids, texts)}
    attributes, payload = asked.attributes, asked.payload
    if attributes is None:
        attributes = tuple(name for name, kind in kinds.items() if _is_plain(kind))
        payload = tuple(name for name, kind in kinds.items() if not _is_plain(kind) and _holds_strings(kind))
    found = Columns(vectors, ids, texts, attributes, payload)
    guessed = (part.name for part in fields(Columns) if getattr(asked, part.name) is None)
    return found, tuple(name for name in guessed if getattr(found, name))


def _check_known(names: Sequence[str], asked: Columns, place: str) -> None:
    for name in (asked.vectors, asked.ids, asked.texts, *(asked.attributes or ())):
        if name is not None and name not in names:
            raise InputError(f"{place} has no column '{name}'; {nearest(name, list(names))}")


def _vectors(schema: Any, place: str) -> str:
    """The only column of vectors, or the one of them with a usual name; else a column of that name that is empty."""
    found = [field.name for field in schema if is_vector(field.type)]
    found = found or [field.name for field in schema if _is_null(field.type) and field.name.lower() in VECTOR_NAMES]
    name = found[0] if len(found) == 1 else _by_name(VECTOR_NAMES, found)
    if name is None and found:
        raise InputError(f"{place} has vectors in {', '.join(found)}; name the column to read with --vector-column")
    if name is None:
        usual = ", ".join(VECTOR_NAMES)
        raise InputError(
            f"{place} has columns {', '.join(schema.names)}, none with lists of numbers; expected one of {usual}"
        )
    return name


def _texts(schema: Any, names: Sequence[str]) -> str | None:
    """The column of strings with a usual name, or else the only one of strings."""
    strings = [name for name in names if _is_string(schema.field(name).type)]
    return _by_name(TEXT_NAMES, strings) or (strings[0] if len(strings) == 1 else None)


def _by_name(usual: Sequence[str], names: Sequence[str]) -> str | None:
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in usual if name in lower), None)


def _is_null(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_null(kind))


def _is_string(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _holds_strings(kind: Any) -> bool:
    """Whether a nested type has strings somewhere inside."""
    inside = [kind.field(place).type for place in range(kind.num_fields)]
    return any(_is_string(each) or _holds_strings(each) for each in inside)


def _is_plain(kind: Any) -> bool:
    import pyarrow as pa

    return not (pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind))
