import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.errors import InputError
from vestige.stores.read import read_vectors


def test_npy_of_any_number_becomes_float32(tmp_path):
    np.save(tmp_path / "v.npy", np.arange(6, dtype=np.int8).reshape(2, 3))
    vectors = read_vectors(tmp_path / "v.npy")
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.list_(pa.float16(), 2)])
def test_a_parquet_column_of_lists(tmp_path, kind):
    column = pa.array([[np.float16(0.5), np.float16(1)], [np.float16(2), np.float16(3)]], type=kind)
    pq.write_table(pa.table({"id": [1, 2], "embedding": column}), tmp_path / "v.parquet")
    assert read_vectors(tmp_path / "v.parquet").tolist() == [[0.5, 1], [2, 3]]


def poisoned(tmp_path):
    values = np.zeros((4, 2), np.float32)
    values[2, 1] = np.nan
    np.save(tmp_path / "nan.npy", values)


def pickled(tmp_path):
    np.save(tmp_path / "pickle.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)


def uneven(tmp_path):
    pq.write_table(pa.table({"vector": [[1.0], [1.0, 2.0]]}), tmp_path / "uneven.parquet")


def columns(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "columns.parquet")


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("gone.npy", lambda _: None, "gone.npy is not there"),
        ("v.bin", lambda p: (p / "v.bin").touch(), r"ends in '.bin'; expected vectors in one of .npy, .parquet"),
        ("empty.npy", lambda p: (p / "empty.npy").touch(), "empty.npy is empty"),
        ("junk.npy", lambda p: (p / "junk.npy").write_bytes(b"junk"), "not a plain .npy"),
        ("junk.npz", lambda p: (p / "junk.npz").write_bytes(b"junk"), "not a plain .npz .* save it with numpy.savez"),
        ("nan.npy", poisoned, "NaN or infinite values in 1 of 4 rows, first in row 2"),
        ("inf.npy", lambda p: np.save(p / "inf.npy", [[np.inf]]), "NaN or infinite"),
        ("flat.npy", lambda p: np.save(p / "flat.npy", np.zeros(3)), r"has shape \(3,\)"),
        (
            "none.npy",
            lambda p: np.save(p / "none.npy", np.zeros((0, 3))),
            r"has shape \(0, 3\) and is empty; expected at least one vector",
        ),
        ("words.npy", lambda p: np.save(p / "words.npy", [["a"]]), "expected numbers"),
        ("pickle.npy", pickled, "not a plain .npy"),
        ("same.npy", lambda p: np.save(p / "same.npy", np.ones((5, 2))), "has 5 equal rows"),
        (
            "zero.npy",
            lambda p: np.save(p / "zero.npy", np.eye(3)[:, :2]),
            "nothing but zeros in 1 of 3 rows, first in row 2",
        ),
        ("huge.npy", lambda p: np.save(p / "huge.npy", [[1e30, 1.0]]), "values beyond 1e"),
        ("folder.npy", lambda p: (p / "folder.npy").mkdir(), "folder.npy is a folder"),
        ("uneven.parquet", uneven, "expected lists of one length"),
        ("columns.parquet", columns, "expected one of vector, embedding"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, make, message):
    make(tmp_path)
    with pytest.raises(InputError, match=message):
        read_vectors(tmp_path / name)
