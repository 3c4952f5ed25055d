"""Vectors and rows as Arrow columns: a vector is a list of numbers, all vectors of a column have one length."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from vestige.errors import InputError, UnusableRows
from vestige.text.formats import list_objects
from vestige.types import Vectors
from vestige.vector_codes import METADATA, VectorCode, check_codes, parse_code

MOST_COLUMNS = 10_000


def as_vectors(column: Any, place: str, rows: Sequence[object] | None = None) -> Vectors:
    """Convert a column to float32, one row per vector. Raise if a row has no vector, or one of another length.

    `rows` are the numbers or ids of the rows, for the error message.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if whole.null_count:
        first = int(np.flatnonzero(whole.is_null().to_numpy(zero_copy_only=False))[0])
        raise UnusableRows(
            f"{place} has no vector in {whole.null_count} of {len(whole)} rows read, first in row "
            f"{first if rows is None else rows[first]}; "
            "expected lists of one length, embed those rows or drop them"
        )
    fixed = pa.types.is_fixed_size_list(whole.type)
    lengths = [whole.type.list_size] if fixed else sorted(pc.unique(pc.list_value_length(whole)).to_pylist())
    if len(lengths) != 1 or lengths == [0]:
        shown = ", ".join(map(str, lengths[:4]))
        raise InputError(f"{place} holds vectors of {shown} numbers; expected lists of one length, correct the others")
    values = whole.flatten().to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):  # A value too large for float32 becomes infinite and is reported as such.
        return np.asarray(values, dtype=np.float32).reshape(len(whole), lengths[0])


def as_column(rows: Any) -> Any:
    """Convert a matrix to an Arrow column of the same number type, in native byte order."""
    import pyarrow as pa

    matrix = np.ascontiguousarray(rows, dtype=rows.dtype.newbyteorder("="))
    return pa.FixedSizeListArray.from_arrays(pa.array(matrix.ravel()), matrix.shape[1])


def add_code(field: Any, code: VectorCode) -> Any:
    """An Arrow field whose metadata say what the codes of its vectors stand for."""
    return field.with_metadata({METADATA: code.to_json().encode()})


def find_code(field: Any, place: str) -> VectorCode | None:
    """The code of a column of vectors; None if the column holds the numbers themselves."""
    written = (field.metadata or {}).get(METADATA)
    if written is None:
        return None
    code = parse_code(written, place)
    check_codes(code, dtype_name(field.type), getattr(field.type, "list_size", 0), place)
    return code


def is_vector_type(kind: Any) -> bool:
    """Whether an Arrow type is a list of numbers."""
    import pyarrow as pa

    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(lists and (pa.types.is_integer(kind.value_type) or pa.types.is_floating(kind.value_type)))


def dtype_name(kind: Any) -> str:
    """The numpy name of the number type of a column of vectors."""
    return str(np.dtype(kind.value_type.to_pandas_dtype()).name)


def build_table(rows: Sequence[Mapping[str, Any]], names: Sequence[str], place: str, schema: Any = None) -> Any:
    """Build an Arrow table of these columns from one mapping per row, with the types of `schema` where they fit.

    A value that a row lacks is null; a column of mixed types becomes strings.
    """
    import pyarrow as pa

    kinds = {} if schema is None else {field.name: field.type for field in schema}
    return pa.table(
        {
            name: _build_column([row.get(name) for row in rows], kinds.get(name), f"{place} column '{name}'")
            for name in names
        }
    )


def list_values(column: Any, place: str) -> list[Any]:
    """The values of a column as Python objects; raise if its text is not UTF-8, which no format checks.

    Dates that Python's calendar lacks, and times of an unknown zone, become text.
    """
    try:
        values = list_objects(column)
    except UnicodeDecodeError as error:
        raise InputError(f"{place} holds text that is not UTF-8 ({error}); write the file again") from error
    except (OverflowError, ValueError, LookupError) as error:
        values = _list_as_text(column, f"{place} holds a value that Python lacks ({error}); write it as text")
    return values


def _list_as_text(column: Any, problem: str) -> list[Any]:
    import pyarrow as pa

    try:
        if getattr(column.type, "tz", None):
            column = column.cast(pa.int64()).cast(pa.timestamp(column.type.unit))
        written: list[Any] = column.cast(pa.string()).to_pylist()
    except pa.ArrowException as error:
        raise InputError(problem) from error
    return written


def plain_type(kind: Any) -> Any:
    """The type of the same values that every function of Arrow takes. Polars writes views; others write runs."""
    import pyarrow as pa

    of = pa.types
    if of.is_run_end_encoded(kind):
        return plain_type(kind.value_type)
    if of.is_string_view(kind) or of.is_binary_view(kind):
        return pa.large_string() if of.is_string_view(kind) else pa.large_binary()
    if of.is_list(kind):
        return pa.list_(kind.value_field.with_type(plain_type(kind.value_type)))
    if of.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(plain_type(kind.value_type)))
    if of.is_struct(kind):
        return pa.struct([field.with_type(plain_type(field.type)) for field in kind])
    return kind


def plain_schema(schema: Any) -> Any:
    """The schema with plain types."""
    import pyarrow as pa

    return pa.schema([field.with_type(plain_type(field.type)) for field in schema], schema.metadata)


def as_plain(rows: Any) -> Any:
    """A record batch with plain types."""
    import pyarrow as pa
    import pyarrow.compute as pc

    schema = plain_schema(rows.schema)
    if schema.equals(rows.schema):
        return rows
    decoded = [
        pc.run_end_decode(column) if pa.types.is_run_end_encoded(column.type) else column for column in rows.columns
    ]
    columns = [column.cast(field.type) for column, field in zip(decoded, schema, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def list_columns(rows: Sequence[Mapping[str, Any]], place: str) -> list[str]:
    """List the columns that any of the rows has, in order of first appearance."""
    names: dict[str, None] = {}
    for row in rows:
        names |= dict.fromkeys(row)
        check_column_count(len(names), place)
    return list(names)


def check_column_count(columns: int, place: str) -> None:
    """Raise if there are so many columns that each row seems to have its own."""
    if columns > MOST_COLUMNS:
        raise InputError(
            f"{place} has more than {MOST_COLUMNS:,} columns; expected a few that all rows share, with data of single "
            "rows nested in one of them; export the vectors and the columns that matter"
        )


def _build_column(values: list[Any], kind: Any, place: str) -> Any:
    import pyarrow as pa

    if values and all(isinstance(value, np.ndarray) and len(value) == len(values[0]) for value in values):
        return as_column(np.stack(values))
    if kind is not None and _fits(values, kind):
        with suppress(pa.ArrowException, TypeError):
            return pa.array(values, type=kind)
    try:
        return pa.array(values)
    except UnicodeEncodeError as error:
        raise InputError(f"{place} holds text that is not Unicode ({error}); write the file again") from error
    except (pa.ArrowException, TypeError) as error:
        if not any(map(_is_vector, values)):
            return pa.array(list(map(_as_string, values)))
        raise InputError(f"{place} mixes types of values ({error}); expected one type") from error


def _fits(values: Sequence[Any], kind: Any) -> bool:
    """Whether a type has a field for every key of nested mappings: Arrow drops other keys silently."""
    import pyarrow as pa

    if pa.types.is_struct(kind):
        fields, held = {field.name: field.type for field in kind}, [value for value in values if value is not None]
        if not all(isinstance(value, Mapping) and value.keys() <= fields.keys() for value in held):
            return False
        return all(_fits([value.get(name) for value in held], inner) for name, inner in fields.items())
    if pa.types.is_list(kind) and pa.types.is_nested(kind.value_type):
        return _fits([item for value in values if isinstance(value, list) for item in value], kind.value_type)
    return True


def _is_vector(value: Any) -> bool:
    numbers = isinstance(value, list) and len(value) > 0 and all(isinstance(item, int | float) for item in value)
    return numbers or isinstance(value, np.ndarray)


def _as_string(value: Any) -> str | None:
    """Convert to a string; nested values become JSON."""
    if isinstance(value, Mapping | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return None if value is None else str(value)
