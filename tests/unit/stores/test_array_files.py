"""numpy and HDF5 files: what is read, and what is refused."""

import io
import struct
import tokenize
import zipfile

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


def npy_with_header(path, header):
    text = header.encode().ljust(118) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(40))
    return path


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999, 2), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-5, 2), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 2",
        "(" * 100,
        "{'descr': 'x', 'fortran_order': 3, 'shape': 'y', }",
    ],
)
def test_a_damaged_header_is_refused(tmp_path, header):
    with pytest.raises(InputError, match=r"v.npy (is not a plain .npy|cannot be read|has shape)"):
        open_store(npy_with_header(tmp_path / "v.npy", header))


def test_an_archive_that_unpacks_to_more_than_the_memory_is_refused(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "v.npz", vectors=np.zeros((10**4, 100), np.float32))
    monkeypatch.setattr("vestige.memory._machine_memory", lambda: 10**6)
    with pytest.raises(InputError, match=r"v.npz needs 4.0 MB of memory, and the limit is 0.8 MB; save the arrays"):
        open_store(tmp_path / "v.npz")


@pytest.mark.parametrize("change", ["encrypted", "method", "deflate", "text member"])
def test_a_damaged_archive_is_refused(tmp_path, change):
    path = tmp_path / "v.npz"
    np.savez_compressed(path, vectors=np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32))
    data = bytearray(path.read_bytes())
    if change == "text member":
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("notes.txt", "not an array")
    else:
        directory = data.rfind(b"PK\x01\x02")
        changed = {"encrypted": {6: 1, directory + 8: 1}, "method": {8: 99, directory + 10: 99}, "deflate": {300: 255}}
        for place, value in changed[change].items():
            data[place] ^= value
        path.write_bytes(data)
    with pytest.raises(InputError, match="holds no plain arrays"):
        open_store(path)


def test_hdf5_that_declares_far_more_than_it_stores_is_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "v.h5", "w") as file:
        file.create_dataset("vectors", shape=(10**12, 384), dtype="f4", chunks=(1000, 384))
    with pytest.raises(InputError, match=r"v.h5 declares 1,000,000,000,000 rows in 'vectors', .* and stores 0 bytes"):
        open_store(tmp_path / "v.h5")


def make_npy(header, content=b""):
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


@pytest.mark.parametrize("ending", ["npy", "npz"])
def test_a_long_damaged_header_is_not_repaired(tmp_path, monkeypatch, ending):
    """numpy splits it into tokens, in a time that grows with the square of the blanks."""
    damaged = make_npy(b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2" + b" " * 9000 + b"\n", bytes(16))
    path = tmp_path / f"v.{ending}"
    path.write_bytes(damaged)
    if ending == "npz":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("v.npy", damaged)

    def generate(*_):
        raise AssertionError("it was split into tokens")

    monkeypatch.setattr(tokenize, "generate_tokens", generate)
    with pytest.raises(AssertionError, match="split into tokens"):
        np.load(io.BytesIO(damaged))
    with pytest.raises(InputError, match="plain"):
        open_store(path)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_header_of_python_2_is_read(tmp_path):
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 2L), }".ljust(117) + b"\n"
    (tmp_path / "v.npy").write_bytes(make_npy(header, np.arange(6, dtype="<f4").tobytes()))
    assert read_vectors(tmp_path / "v.npy").tolist() == [[0, 1], [2, 3], [4, 5]]
