"""Vectors in HDF5: each dataset of two dimensions holds vectors, each of one dimension another column."""

from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.arrays import ArrayTable


class Hdf5Table(ArrayTable):
    """The datasets of a file that have as many rows as its longest matrix."""

    def __init__(self, place: str, file: Any, arrays: dict[str, Any]) -> None:
        super().__init__(place, arrays)
        self._file = file
        if any(array.chunks for array in arrays.values()):
            self.bytes_read = None  # chunks are read whole

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_hdf5(path: Path) -> Hdf5Table:
    """Open for reading only. A dataset inside groups goes by its path, as in "train/vectors"."""
    import h5py

    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise InputError(f"{path} cannot be opened ({error}); expected a whole HDF5 file that no one writes") from error
    found: dict[str, Any] = {}
    file.visititems(lambda name, item: found.update({name: item} if isinstance(item, h5py.Dataset) else {}))
    matrices = [name for name, item in found.items() if item.ndim == 2]
    rows = max((len(found[name]) for name in matrices), default=0)
    if not rows:
        file.close()
        if matrices:
            raise InputError(f"{path} is empty, with no row in {', '.join(matrices)}; expected at least one vector")
        raise InputError(f"{path} has datasets {', '.join(found) or 'none'}; expected one of rows and columns")
    return Hdf5Table(str(path), file, {name: item for name, item in found.items() if _is_column(item, rows)})


def _is_column(dataset: Any, rows: int) -> bool:
    import h5py

    plain = dataset.dtype.kind in "iufbS" or h5py.check_string_dtype(dataset.dtype) is not None
    return plain and dataset.ndim in (1, 2) and len(dataset) == rows
