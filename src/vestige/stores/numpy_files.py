"""Vectors in .npy and .npz. Nothing is unpickled."""

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrays import ArrayTable
from vestige.stores.checks import check_table


def open_npy(path: Path) -> ArrayTable:
    """The one array of a .npy file, mapped into memory: rows that are not asked for are not read."""
    array = _loaded(path)
    check_table(array, str(path))
    return ArrayTable(str(path), {"vectors": array})


def open_npz(path: Path) -> ArrayTable:
    """The arrays of an .npz file, whole in memory: a matrix of vectors, and a line for each other column."""
    try:
        with _loaded(path) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (ValueError, BadZipFile, EOFError, OSError) as error:
        raise InputError(f"{path} holds no plain arrays ({error}); save it with numpy.savez") from error
    if not arrays:
        raise InputError(f"{path} is empty; expected an array of vectors")
    table = ArrayTable(str(path), arrays)
    table.bytes_read = path.stat().st_size
    return table


def _loaded(path: Path) -> Any:
    wanted = path.suffix.lower()
    try:
        found = np.load(path, allow_pickle=False, mmap_mode="r")
    except (ValueError, EOFError, OSError, BadZipFile) as error:
        save = "numpy.save" if wanted == ".npy" else "numpy.savez"
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{path} cannot be read ({error.strerror}); name a file that can") from error
        raise InputError(
            f"{path} is not a plain {wanted} file of numbers, or not whole ({error}); save it with {save}"
        ) from error
    if isinstance(found, np.ndarray) != (wanted == ".npy"):
        raise InputError(f"{path} is not a plain {wanted} file but the other kind; give it its right ending")
    return found
