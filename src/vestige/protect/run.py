"""Apply a defense to all vectors of a file or a store, and write them to a file."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vestige.errors import InputError, UnusableRows
from vestige.files import check_writable
from vestige.protect.arrays import protect_array
from vestige.protect.resolve_defense import resolve_defense
from vestige.protect.tables import protect_store
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.stores.write import check_vector_path
from vestige.types import Progress, silent


@dataclass(frozen=True, slots=True)
class Protected:
    """What was written: the rows and columns of vectors, and the names of the other columns, which are unchanged.

    `defense` is the folder of the fitted defense; None if it has nothing to save.
    """

    rows: int
    columns: int
    others: tuple[str, ...]
    defense: Path | None


def protect(
    source: str | Path, out: Path, defense: str, *, vector_column: str | None = None, progress: Progress = silent
) -> Protected:
    """Defend all vectors of `source` and write them to `out`, .npy or .parquet; `out` appears only when complete.

    `defense` is the folder of a fitted defense, or a spec such as "rounding:2". A defense that learns is fitted on a
    sample of the vectors and saved in the folder `out`.defense, next to `out`.
    """
    check_vector_path(out)
    if out.exists():
        raise InputError(f"{out} already exists; name a file that does not, or move it away")
    check_writable(out.parent)
    with open_store(source, Columns(vectors=vector_column)) as store:
        description = store.describe()
        resolved = resolve_defense(defense, store, out.with_name(f"{out.name}.defense"), description.dimension)
        try:
            if out.suffix == ".npy" and _is_plain_array(Path(source)):
                rows, columns = protect_array(Path(source), out, resolved.defense, progress=progress)
            else:
                rows, columns = protect_store(store, out, resolved.defense, progress=progress)
        except UnusableRows:
            if resolved.fresh and resolved.folder is not None:
                shutil.rmtree(resolved.folder)
            raise
        vectors = description.columns.vectors
        others = tuple(name for name in store.columns if name != vectors) if out.suffix != ".npy" else ()
    return Protected(rows, columns, others, resolved.folder)


def _is_plain_array(source: Path) -> bool:
    """Whether a source is a .npy file in row-major order."""
    if source.suffix.lower() != ".npy" or not source.is_file():
        return False
    return bool(np.load(source, mmap_mode="r", allow_pickle=False).flags.c_contiguous)
