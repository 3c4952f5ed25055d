"""Which column of a store holds the vectors, which the texts, and which the ids."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.arrow_columns import is_vector_type
from vestige.text.columns import TEXT_NAMES

VECTOR_NAMES = ("vector", "embedding", "embeddings", "vectors", "emb")
ID_NAMES = ("id", "ids", "_id", "uuid", "key", "pk", "rowid")


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column holds what. The store finds those that are None; attributes are then all other plain columns.

    `payload` is found with the attributes: columns of mappings and lists that contain strings.
    """

    vectors: str | None = None
    ids: str | None = None
    texts: str | None = None
    attributes: tuple[str, ...] | None = None
    payload: tuple[str, ...] = ()


def find_columns(schema: Any, named: Columns, place: str) -> tuple[Columns, tuple[str, ...]]:
    """Complete the columns that the user named, and list the roles that were guessed.

    Ids and texts are found by the usual names; a single column of strings is taken for the texts.
    """
    _check_known(schema.names, named, place)
    vectors = named.vectors or _find_vectors(schema, place)
    _check_vector_type(schema.field(vectors).type, vectors, place)
    free = [name for name in schema.names if name not in (vectors, *(named.attributes or ()))]
    ids = named.ids or _find_by_name(ID_NAMES, [name for name in free if name != named.texts])
    texts = named.texts or _find_texts(schema, [name for name in free if name != ids])
    kinds = {name: schema.field(name).type for name in free if name not in (ids, texts)}
    attributes, payload = named.attributes, named.payload
    if attributes is None:
        attributes = tuple(name for name, kind in kinds.items() if _is_plain(kind))
        payload = tuple(name for name, kind in kinds.items() if not _is_plain(kind) and _holds_strings(kind))
    columns = Columns(vectors, ids, texts, attributes, payload)
    open_roles = (role.name for role in fields(Columns) if getattr(named, role.name) is None)
    return columns, tuple(role for role in open_roles if getattr(columns, role))


def _check_known(names: Sequence[str], named: Columns, place: str) -> None:
    for name in (named.vectors, named.ids, named.texts, *(named.attributes or ())):
        if name is not None and name not in names:
            raise InputError(f"{place} has no column '{name}'; {nearest(name, list(names))}")


def _check_vector_type(kind: Any, name: str, place: str) -> None:
    if _is_null(kind):
        raise InputError(
            f"{place} has no vector in '{name}' in any row that was read; expected one in every row, "
            "embed those rows or drop them"
        )
    if not is_vector_type(kind):
        raise InputError(f"{place} holds {kind} in '{name}'; expected one vector per row")


def _find_vectors(schema: Any, place: str) -> str:
    """Find the only column of vectors, or the one with a usual name; failing that, an empty column of that name."""
    candidates = [field.name for field in schema if is_vector_type(field.type)] or [
        field.name for field in schema if _is_null(field.type) and field.name.lower() in VECTOR_NAMES
    ]
    name = candidates[0] if len(candidates) == 1 else _find_by_name(VECTOR_NAMES, candidates)
    if name is None and candidates:
        listed = ", ".join(candidates)
        raise InputError(f"{place} has vectors in {listed}; name the column to read with --vector-column")
    if name is None:
        usual = ", ".join(VECTOR_NAMES)
        raise InputError(
            f"{place} has columns {', '.join(schema.names)}, none with lists of numbers; expected one of {usual}"
        )
    return name


def _find_texts(schema: Any, names: Sequence[str]) -> str | None:
    """Find the column of strings with a usual name, or the only column of strings."""
    strings = [name for name in names if _is_string(schema.field(name).type)]
    return _find_by_name(TEXT_NAMES, strings) or (strings[0] if len(strings) == 1 else None)


def _find_by_name(usual: Sequence[str], names: Sequence[str]) -> str | None:
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in usual if name in lower), None)


def _is_null(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_null(kind))


def _is_string(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _holds_strings(kind: Any) -> bool:
    """Whether a nested type has strings at any depth."""
    inner = [kind.field(position).type for position in range(kind.num_fields)]
    return any(_is_string(part) or _holds_strings(part) for part in inner)


def _is_plain(kind: Any) -> bool:
    import pyarrow as pa

    return not (pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind))
