"""Vectors in files of arrays: .npy, .npz and HDF5. A matrix is a column of vectors, a one-dimensional array a column.

Nothing is unpickled.
"""

import ast
import math
import re
import tokenize
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

import numpy as np

from vestige.errors import InputError
from vestige.memory import check_memory, format_bytes, read_file
from vestige.stores.arrow_columns import add_code, as_column
from vestige.stores.file_rows import FileRows
from vestige.stores.table import Positions, VectorTable
from vestige.stores.vector_checks import check_matrix
from vestige.vector_codes import check_codes, code_path, parse_code

UNREADABLE = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RuntimeError, MemoryError),
    *(BadZipFile, NotImplementedError, EOFError, OSError, zlib.error, SyntaxError, RecursionError, tokenize.TokenError),
)
"""What numpy, zipfile and h5py raise on damaged files."""

MOST_DATASETS, MOST_UNPACKED = 10_000, 5000
"""Datasets of an HDF5 file that are looked at, and how many times larger than its storage one may be."""


LONGEST_HEADER = 10_000
"""Characters of a .npy header that numpy accepts."""


class ArrayTable(VectorTable):
    """Columns of one length, sliced from numpy arrays or anything that can be sliced like them."""

    def __init__(self, place: str, arrays: Mapping[str, Any]) -> None:
        import pyarrow as pa

        self.place = place
        self._arrays = arrays
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(f"{place} has arrays of different lengths ({listed}); expected one row per vector in each")
        self.rows = next(iter(lengths.values()), 0)
        for name, array in arrays.items():
            if len(array.shape) != 1:
                check_matrix(array, place if len(arrays) == 1 else f"{place} array '{name}'")
        self.schema = pa.schema([(name, _as_arrow(array[:1]).type) for name, array in arrays.items()])

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Index the arrays."""
        return self._slice(positions, names)

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Slice the arrays, which copies nothing of a mapped file."""
        for start in range(0, self.rows, size):
            yield self._slice(slice(start, start + size), names)

    def read(self, start: int, stop: int, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Slice the arrays."""
        for first in range(start, stop, size):
            yield self._slice(slice(first, min(first + size, stop)), names)

    def _slice(self, rows: Positions | slice, names: Sequence[str]) -> Any:
        import pyarrow as pa

        parts = {name: self._arrays[name][rows] for name in names}
        if self.bytes_read is not None:
            self.bytes_read += sum(part.nbytes for part in parts.values())
        return pa.table({name: _as_arrow(part) for name, part in parts.items()})


class Hdf5Table(ArrayTable):
    """The datasets of an HDF5 file that have as many rows as its longest matrix."""

    def __init__(self, place: str, file: Any, arrays: dict[str, Any]) -> None:
        super().__init__(place, arrays)
        self._file = file
        if any(array.chunks for array in arrays.values()):
            self.bytes_read = None  # HDF5 reads whole chunks.

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_npy(path: Path) -> ArrayTable:
    """Open the array of a .npy file; only the rows that are used are read.

    A file of codes has a description next to it (see `code_path`), which becomes metadata of the column.
    """
    array = _load(path)
    check_matrix(array, str(path))
    table = ArrayTable(str(path), {"vectors": FileRows(array) if array.flags.c_contiguous else array})
    if code_path(path).is_file():
        code = parse_code(_read_description(code_path(path)), str(code_path(path)))
        check_codes(code, array.dtype, array.shape[1], str(path))
        table.schema = table.schema.set(0, add_code(table.schema.field(0), code))
    return table


def open_npz(path: Path) -> ArrayTable:
    """Read all arrays of an .npz file into memory: a matrix of vectors, and one array per other column.

    The sizes that the file declares are checked before anything is unpacked.
    """
    try:
        with ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            check_memory(sum(member.file_size for member in members), str(path), "save the arrays as .npy files")
            arrays = {member.filename.removesuffix(".npy"): _read_member(archive, member) for member in members}
    except InputError:
        raise
    except UNREADABLE as error:
        raise InputError(f"{path} holds no plain arrays ({error}); save it with numpy.savez") from error
    if not arrays:
        raise InputError(f"{path} is empty; expected an array of vectors")
    table = ArrayTable(str(path), arrays)
    table.bytes_read = path.stat().st_size
    return table


def _read_member(archive: ZipFile, member: ZipInfo) -> Any:
    """The array of a member, if its header declares no more than the member holds."""
    with archive.open(member) as file:
        _check_header(file)
    with archive.open(member) as file:
        shape, _, dtype = _read_npy_header(file)
        declared = math.prod(shape) * dtype.itemsize
        if dtype.hasobject or declared > member.file_size:
            raise ValueError(
                f"'{member.filename}' declares {declared:,} bytes of {dtype}, and has {member.file_size:,}"
            )
    with archive.open(member) as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def _read_npy_header(file: Any) -> tuple[tuple[int, ...], bool, Any]:
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"it is of version {version}, expected 1 or 2")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return read(file)


def _check_header(file: Any) -> None:
    """Raise if the header of a .npy file is no Python literal: numpy would take minutes to try and repair a long one.

    Headers of Python 2, with numbers such as 10L, are valid.
    """
    version = np.lib.format.read_magic(file)
    length = int.from_bytes(file.read(2 if version[0] == 1 else 4), "little")
    header = file.read(min(length, LONGEST_HEADER)).decode("latin-1")
    ast.literal_eval(re.sub(r"(\d)L\b", r"\1", header))


def open_hdf5(path: Path) -> Hdf5Table:
    """Open an HDF5 file read-only. A dataset inside groups is named by its path, as in "train/vectors"."""
    import h5py

    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise InputError(
            f"{path} cannot be opened ({error}); expected a complete HDF5 file that no program is writing"
        ) from error
    try:
        datasets = _list_datasets(file)
    except UNREADABLE as error:
        file.close()
        raise InputError(f"{path} is damaged ({error}); expected a complete HDF5 file") from error
    matrices = [name for name, item in datasets.items() if item.ndim == 2]
    rows = max((len(datasets[name]) for name in matrices), default=0)
    if not rows:
        file.close()
        if matrices:
            raise InputError(f"{path} is empty, with no row in {', '.join(matrices)}; expected at least one vector")
        raise InputError(f"{path} has datasets {', '.join(datasets) or 'none'}; expected one with rows and columns")
    columns = {name: item for name, item in datasets.items() if _is_column(item, rows)}
    try:
        _check_stored(path, columns)
        return Hdf5Table(str(path), file, columns)
    except BaseException:
        file.close()
        raise


def _list_datasets(file: Any) -> dict[str, Any]:
    """The datasets by path. Links to other files are not followed."""
    import h5py

    found: dict[str, Any] = {}

    def add(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and len(found) < MOST_DATASETS:
            found[name] = item

    file.visititems(add)
    return {name: item for name, item in found.items() if not item.external and not item.is_virtual}


def _check_stored(path: Path, columns: Mapping[str, Any]) -> None:
    """Raise if a dataset declares far more than is stored: its writer died, or it is made to deceive."""
    for name, item in columns.items():
        stored = item.id.get_storage_size()
        if item.nbytes > MOST_UNPACKED * stored:
            raise InputError(
                f"{path} declares {len(item):,} rows in '{name}', {format_bytes(item.nbytes)}, and stores "
                f"{stored:,} bytes; expected a complete HDF5 file, write it again"
            )


def _load(path: Path) -> Any:
    """Map an .npy file."""
    try:
        with path.open("rb") as file:
            if file.peek(6).startswith(np.lib.format.MAGIC_PREFIX):
                _check_header(file)
        loaded = np.load(path, allow_pickle=False, mmap_mode="r")
    except UNREADABLE as error:
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{path} cannot be read ({error.strerror}); name a file that can") from error
        raise InputError(
            f"{path} is not a plain .npy file of numbers, or is incomplete ({error}); save it with numpy.save"
        ) from error
    if not isinstance(loaded, np.ndarray):
        raise InputError(f"{path} is not a plain .npy file but the other format; correct its extension")
    return loaded


def _read_description(path: Path) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name a file that can") from error


def _is_column(dataset: Any, rows: int) -> bool:
    import h5py

    plain = dataset.dtype.kind in "iufbS" or h5py.check_string_dtype(dataset.dtype) is not None
    return plain and dataset.ndim in (1, 2) and len(dataset) == rows


def _as_arrow(rows: Any) -> Any:
    import pyarrow as pa

    if rows.ndim == 2:
        return as_column(rows)
    if rows.dtype.kind in "SO":
        return pa.array([value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in rows])
    return pa.array(np.asarray(rows))
