"""Vectors from a file: .npy, or a parquet column of lists."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Vectors

EXTENSIONS = (".npy", ".parquet")
LARGEST = 1e12
VECTOR_NAMES = ("vector", "embedding", "embeddings", "vectors")


def read_vectors(path: Path) -> Vectors:
    """A checked matrix, one row a vector. Nothing is unpickled."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file of vectors, {' or '.join(EXTENSIONS)}")
    if path.suffix not in EXTENSIONS:
        raise InputError(f"{path} ends in '{path.suffix}'; expected vectors in one of {', '.join(EXTENSIONS)}")
    if not path.is_file():
        raise InputError(f"{path} is not there or is not a file; check the path")
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty; expected at least one vector")
    return checked(_npy(path) if path.suffix == ".npy" else _parquet(path), str(path))


def checked(raw: npt.ArrayLike, place: str) -> Vectors:
    """The vectors as float32, or a clear word on what is wrong with them."""
    try:
        array = np.asarray(raw)
    except ValueError as error:
        raise InputError(f"{place} has rows of different lengths ({error}); expected one row a vector") from error
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"{place} has shape {array.shape}; expected rows and columns, one row a vector")
    if not np.issubdtype(array.dtype, np.number) or np.iscomplexobj(array):
        raise InputError(f"{place} holds {array.dtype}; expected numbers")
    vectors = array.astype(np.float32)
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(broken):
        raise InputError(
            f"{place} has NaN or infinite values in {len(broken)} of {len(vectors)} rows, first in row {broken[0]}; "
            "encode those texts again or drop the rows"
        )
    _refuse_what_no_encoder_makes(vectors, place)
    return vectors


def _refuse_what_no_encoder_makes(vectors: Vectors, place: str) -> None:
    """Vectors that hold nothing would pass for vectors that leak nothing."""
    if np.abs(vectors).max() > LARGEST:
        raise InputError(f"{place} holds values beyond {LARGEST:g}; expected embeddings, scale them down")
    if len(vectors) > 1 and (vectors == vectors[0]).all():
        raise InputError(f"{place} has {len(vectors)} equal rows; expected vectors that differ, encode the texts again")
    zeros = np.flatnonzero(~vectors.any(axis=1))
    if len(zeros):
        raise InputError(
            f"{place} has {len(zeros)} rows of zeros, first in row {zeros[0]}; encode those texts again or drop them"
        )


def _npy(path: Path) -> npt.NDArray[np.generic]:
    try:
        array: npt.NDArray[np.generic] = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InputError(f"{path} is not a plain .npy array of numbers; save it with numpy.save") from error
    return array


def _parquet(path: Path) -> npt.NDArray[np.generic]:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        names = pq.read_schema(path).names
        found = next((name for name in VECTOR_NAMES if name in names), None)
        if found is None:
            raise InputError(f"{path} has columns {', '.join(names)}; expected one of {', '.join(VECTOR_NAMES)}")
        column = pq.read_table(path, columns=[found])[found].combine_chunks()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path} is not a parquet file ({error}); expected parquet") from error
    lengths = set(pc.list_value_length(column).to_pylist()) if pa.types.is_nested(column.type) else set()
    if len(lengths) != 1 or None in lengths:
        shown = ", ".join(sorted("none" if length is None else str(length) for length in lengths)[:4]) or "no lists"
        raise InputError(f"{path} column '{found}' holds {shown} a row; expected lists of one length")
    values: npt.NDArray[np.generic] = column.flatten().to_numpy(zero_copy_only=False)
    return values.reshape(len(column), -1)
