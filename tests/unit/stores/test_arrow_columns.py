"""Rows and vectors as Arrow columns."""

import numpy as np
import pyarrow as pa
import pytest

from tests.store_makers import TEXTS, not_utf8
from vestige.errors import InputError, UnusableRows
from vestige.stores.arrow_columns import (
    as_column,
    as_plain,
    as_vectors,
    build_table,
    dtype_name,
    is_vector_type,
    list_columns,
    list_values,
    plain_schema,
)


@pytest.mark.parametrize("kind", [pa.list_(pa.float64()), pa.large_list(pa.int8()), pa.list_(pa.float32(), 2)])
def test_lists_of_numbers_are_vectors(kind):
    assert is_vector_type(kind)
    assert as_vectors(pa.array([[1, 2], [3, 4]], kind), "here").tolist() == [[1, 2], [3, 4]]


def test_strings_and_nested_lists_are_not_vectors():
    assert not any(map(is_vector_type, (pa.string(), pa.list_(pa.string()), pa.list_(pa.list_(pa.int8())))))


def test_a_matrix_becomes_a_column_of_its_own_type_in_native_byte_order():
    column = as_column(np.array([[1, 2]], ">f2"))
    assert dtype_name(column.type) == "float16"
    assert column.to_pylist() == [[1, 2]]


def test_missing_vectors_and_mixed_lengths_are_refused():
    with pytest.raises(UnusableRows, match="no vector in 1 of 2 rows read, first in row b"):
        as_vectors(pa.array([[1.0], None]), "here", ["a", "b"])
    with pytest.raises(InputError, match="vectors of 1, 2 numbers"):
        as_vectors(pa.array([[1.0], [1.0, 2]]), "here")


def test_rows_of_any_shape_become_a_table():
    rows = [{"id": 1, "note": "a"}, {"id": 2, "extra": {"k": [1]}}, {"note": 3}]
    assert list_columns(rows, "here") == ["id", "note", "extra"]
    table = build_table(rows, ["id", "note"], "here")
    assert table.to_pydict() == {"id": [1, 2, None], "note": ["a", None, "3"]}


def test_a_key_that_the_schema_lacks_is_not_dropped():
    """Positive control: Arrow itself drops it."""
    schema = pa.schema([("extra", pa.struct([("a", pa.int64())]))])
    rows = [{"extra": {"a": 1, "b": 2}}]
    assert pa.array([rows[0]["extra"]], schema.field("extra").type).to_pylist() == [{"a": 1}]
    assert build_table(rows, ["extra"], "here", schema)["extra"].to_pylist() == [{"a": 1, "b": 2}]


def test_vectors_mixed_with_strings_are_refused():
    with pytest.raises(InputError, match="column 'v' mixes types of values"):
        build_table([{"v": [1.0, 2.0]}, {"v": "soon"}], ["v"], "here")


def test_text_that_is_not_utf8_is_refused():
    assert list_values(pa.array([TEXTS[0], None]), "here") == [TEXTS[0], None]
    with pytest.raises(InputError, match=r"here holds text that is not UTF-8 .*0xe9.*write the file again"):
        list_values(not_utf8(3), "here")


@pytest.mark.parametrize(
    ("values", "written"),
    [
        (pa.array([0, 2**31 - 1], pa.date32()), None),
        (pa.array([0, 2**61], pa.timestamp("us")), None),
        (pa.array([0, 5], pa.timestamp("s", tz="Nowhere/City")), ["1970-01-01 00:00:00", "1970-01-01 00:00:05"]),
        (pa.array([1, 2**62], pa.duration("s")), ["1", str(2**62)]),
    ],
)
def test_dates_that_python_lacks_are_text(values, written):
    with pytest.raises((OverflowError, ValueError, LookupError)):
        values.to_pylist()
    found = list_values(values, "here")
    assert all(isinstance(value, str) for value in found)
    assert written in (None, found)


def test_text_that_is_not_unicode_is_refused():
    with pytest.raises(InputError, match="here column 'text' holds text that is not Unicode"):
        build_table([{"text": "half a letter \ud800"}], ["text"], "here")


def test_types_that_few_functions_take_become_plain():
    """Positive control: Arrow takes no rows of a column of runs."""
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], pa.array(["a", "b"]))
    batch = pa.RecordBatch.from_arrays([runs, pa.array([1, 2, 3])], names=["runs", "id"])
    with pytest.raises(pa.ArrowNotImplementedError):
        batch.take(pa.array([0]))
    plain = as_plain(batch)
    assert plain.take(pa.array([0, 2])).to_pydict() == {"runs": ["a", "b"], "id": [1, 3]}
    assert plain.schema.equals(plain_schema(batch.schema))
    assert as_plain(plain) is plain


def test_repeated_text_that_is_not_utf8_is_refused():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 3], pa.int32()), not_utf8(4))
    with pytest.raises(InputError, match="here holds text that is not UTF-8"):
        list_values(column, "here")
