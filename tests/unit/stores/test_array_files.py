"""numpy and HDF5 files: what is read, and what is refused."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.load import open_store, read_vectors


def rng():
    return np.random.default_rng(0)


def vectors(rows, dimension=4):
    return np.random.default_rng(1).normal(size=(rows, dimension)).astype(np.float32)


def test_a_sample_of_a_mapped_file_reads_only_its_own_rows(tmp_path):
    np.save(tmp_path / "v.npy", vectors(5000))
    with open_store(tmp_path / "v.npy") as store:
        assert store.sample(10, rng()).bytes_read == 10 * 4 * 4


def test_hdf5_that_is_truncated_or_has_no_matrix_is_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    (tmp_path / "cut.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(InputError, match="expected a complete HDF5 file"):
        open_store(tmp_path / "cut.h5")
    with h5py.File(tmp_path / "flat.h5", "w") as file:
        file["group/line"] = np.arange(5)
    with pytest.raises(InputError, match="has datasets group/line; expected one with rows and columns"):
        open_store(tmp_path / "flat.h5")
    with h5py.File(tmp_path / "none.h5", "w") as file:
        file["vectors"] = np.zeros((0, 8))
    with pytest.raises(InputError, match="is empty, with no row in vectors; expected at least one vector"):
        open_store(tmp_path / "none.h5")


def test_numbers_wider_than_64_bits_are_refused(tmp_path):
    np.save(tmp_path / "v.npy", vectors(5).astype(np.longdouble))
    with pytest.raises(InputError, match="expected numbers of at most 64 bits"):
        open_store(tmp_path / "v.npy")


def test_npy_of_any_number_type_becomes_float32(tmp_path):
    np.save(tmp_path / "v.npy", np.arange(6, dtype=np.int8).reshape(2, 3))
    vectors = read_vectors(tmp_path / "v.npy")
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[0, 1, 2], [3, 4, 5]]
