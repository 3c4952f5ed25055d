"""Vectors as Arrow columns: lists of numbers, of one length."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vestige.errors import InputError, UnusableRows
from vestige.types import Vectors


def is_vector(kind: Any) -> bool:
    """Whether a type of Arrow is a list of numbers."""
    import pyarrow as pa

    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(lists and (pa.types.is_integer(kind.value_type) or pa.types.is_floating(kind.value_type)))


def form_of(kind: Any) -> str:
    """The numbers that a column of vectors is made of, as numpy calls them."""
    return str(np.dtype(kind.value_type.to_pandas_dtype()).name)


def as_vectors(column: Any, place: str, rows: Sequence[object] | None = None) -> Vectors:
    """A column as float32, one row a vector; a row without a vector, or with a longer one, is refused.

    `rows` are the numbers or names of the rows, for words on what is wrong.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if whole.null_count:
        first = int(np.flatnonzero(whole.is_null().to_numpy(zero_copy_only=False))[0])
        raise UnusableRows(
            f"{place} has no vector in {whole.null_count} of {len(whole)} rows read, first in row "
            f"{first if rows is None else rows[first]}; "
            "expected lists of one length, embed those rows or leave them out"
        )
    fixed = pa.types.is_fixed_size_list(whole.type)
    lengths = [whole.type.list_size] if fixed else sorted(pc.unique(pc.list_value_length(whole)).to_pylist())
    if len(lengths) != 1 or lengths == [0]:
        shown = ", ".join(map(str, lengths[:4]))
        raise InputError(f"{place} holds vectors of {shown} numbers; expected lists of one length, mend the others")
    values = whole.flatten().to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite, and is told as that
        return np.asarray(values, dtype=np.float32).reshape(len(whole), lengths[0])


def as_column(rows: Any) -> Any:
    """A matrix as an Arrow column, its numbers as they are, in this machine's order of bytes."""
    import pyarrow as pa

    matrix = np.ascontiguousarray(rows, dtype=rows.dtype.newbyteorder("="))
    return pa.FixedSizeListArray.from_arrays(pa.array(matrix.ravel()), matrix.shape[1])
