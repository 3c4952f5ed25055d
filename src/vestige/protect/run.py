"""Vectors of a file or a store through a defense, to a file."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vestige.errors import InputError, UnusableRows
from vestige.files import check_writable
from vestige.protect.arrays import protect_array
from vestige.protect.chosen import chosen_defense
from vestige.protect.tables import protect_store
from vestige.stores.load import open_store
from vestige.stores.records import Columns
from vestige.stores.write import check_vector_path
from vestige.types import Progress, silent


@dataclass(frozen=True, slots=True)
class Protected:
    """What was written: rows and columns of vectors, and the names of the other columns, as they were.

    `defense` is the folder of the fitted defense; None where there is nothing to keep of it.
    """

    rows: int
    columns: int
    others: tuple[str, ...]
    defense: Path | None


def protect(
    source: str | Path, out: Path, defense: str, *, vector_column: str | None = None, progress: Progress = silent
) -> Protected:
    """Defend all vectors of `source` and write them to `out`, .npy or .parquet, whole or not at all.

    `defense` is the folder of a fitted defense, or a spec such as "rounding:2". One that learns is fitted on a sample
    of the vectors and kept in the folder `out`.defense, beside `out`.
    """
    check_vector_path(out)
    if out.exists():
        raise InputError(f"{out} is there already; name a file that is not, or move it away")
    check_writable(out.parent)
    with open_store(source, Columns(vectors=vector_column)) as store:
        told = store.describe()
        chosen = chosen_defense(defense, store, out.with_name(f"{out.name}.defense"), told.dimension)
        try:
            if out.suffix == ".npy" and _is_plain_array(Path(source)):
                rows, columns = protect_array(Path(source), out, chosen.defense, progress=progress)
            else:
                rows, columns = protect_store(store, out, chosen.defense, progress=progress)
        except UnusableRows:
            if chosen.fresh and chosen.folder is not None:
                shutil.rmtree(chosen.folder)
            raise
        others = tuple(name for name in store.columns if name != told.columns.vectors) if out.suffix != ".npy" else ()
    return Protected(rows, columns, others, chosen.folder)


def _is_plain_array(source: Path) -> bool:
    """A .npy file whose rows lie one after the other."""
    if source.suffix.lower() != ".npy" or not source.is_file():
        return False
    return bool(np.load(source, mmap_mode="r", allow_pickle=False).flags.c_contiguous)
