"""Apply a defense to all vectors of a file or a store, and write them to a file."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from vestige.defenses.defense import DefenseInfo
from vestige.errors import InputError, UnusableRows
from vestige.files import check_writable
from vestige.protect.arrays import protect_array
from vestige.protect.resolve_defense import ResolvedDefense, resolve_defense, resolve_for_queries
from vestige.protect.tables import protect_store
from vestige.protect.treatment import Treatment
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.stores.store import Store
from vestige.stores.write import check_vector_path
from vestige.types import Progress, silent
from vestige.vector_codes import VectorCode, code_path

Format = Literal["float", "compact"]
"""How defended vectors are written: as float32, or as the code of the defense, if it has one."""


@dataclass(frozen=True, slots=True)
class Protected:
    """What was written: the rows and dimensions of vectors, and the names of the other columns, which are unchanged.

    `defense` is the folder of the fitted defense; None if it has nothing to save. `info` is its declaration. `code` is
    how the vectors were written, None for float32; `possible` is the code in which they could have been.
    """

    rows: int
    columns: int
    others: tuple[str, ...]
    defense: Path | None
    info: DefenseInfo
    code: VectorCode | None
    possible: VectorCode | None


def protect(
    source: str | Path,
    out: Path,
    defense: str,
    *,
    vector_column: str | None = None,
    queries: bool = False,
    form: Format = "float",
    progress: Progress = silent,
) -> Protected:
    """Defend all vectors of `source` and write them to `out`, .npy or .parquet; `out` appears only when complete.

    `defense` is the folder of a fitted defense, or a spec such as "rounding:2". A defense that learns is fitted on a
    sample of the vectors and saved in the folder `out`.defense, next to `out`. With `queries`, the vectors are search
    queries, and `defense` is the folder of the defense that protects the store.
    """
    _check_out(out, form)
    with open_store(source, Columns(vectors=vector_column)) as store:
        description = store.describe()
        if queries:
            resolved = resolve_for_queries(defense, description.dimension)
        else:
            resolved = resolve_defense(defense, store, out.with_name(f"{out.name}.defense"), description.dimension)
        treatment = Treatment(resolved.defense, queries, form == "compact")
        _check_format(resolved, form)
        try:
            rows = _write(source, store, out, treatment, progress)
        except UnusableRows:
            _discard(resolved)
            raise
        vectors = description.columns.vectors
        others = tuple(name for name in store.columns if name != vectors) if out.suffix != ".npy" else ()
    defended = resolved.defense
    return Protected(rows, treatment.dimension, others, resolved.folder, defended.info, treatment.code, defended.code())


def _check_out(out: Path, form: Format) -> None:
    """Raise, before any work, if the output cannot be written without overwriting anything."""
    check_vector_path(out)
    if out.exists():
        raise InputError(f"{out} already exists; name a file that does not, or move it away")
    if out.suffix == ".npy" and form == "float" and code_path(out).exists():
        raise InputError(
            f"{code_path(out)} exists and would describe {out.name} wrongly; move it away, or name another file"
        )
    check_writable(out.parent)


def _check_format(resolved: ResolvedDefense, form: Format) -> None:
    if form == "compact" and resolved.defense.code() is None:
        _discard(resolved)
        raise InputError(
            f"defense '{resolved.defense.info.name}' has no compact format; expected binary or int8; "
            "drop --format compact"
        )


def _write(source: str | Path, store: Store, out: Path, treatment: Treatment, progress: Progress) -> int:
    if out.suffix == ".npy" and _is_plain_array(Path(source)):
        return protect_array(Path(source), out, treatment, progress=progress)
    return protect_store(store, out, treatment, progress=progress)


def _discard(resolved: ResolvedDefense) -> None:
    """Remove a defense that was fitted for a run that cannot be completed."""
    if resolved.fresh and resolved.folder is not None:
        shutil.rmtree(resolved.folder)


def _is_plain_array(source: Path) -> bool:
    """Whether a source is a .npy file of numbers, not of codes, in row-major order."""
    if source.suffix.lower() != ".npy" or not source.is_file() or code_path(source).is_file():
        return False
    return bool(np.load(source, mmap_mode="r", allow_pickle=False).flags.c_contiguous)
