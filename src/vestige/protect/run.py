"""Apply a defense to all vectors of a file or a store, and write them to a file."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from vestige.defenses.defense import DefenseInfo
from vestige.engine.filesystems import is_url
from vestige.engine.folders import Folder, LocalFolder, RemoteFolder, check_folder_writable, open_folder
from vestige.engine.job import Engine, SourceChanged, Unreachable
from vestige.engine.local_engine import LOCAL
from vestige.engine.parts import name_parts, remove_leftovers
from vestige.errors import InputError, UnusableRows
from vestige.files import check_writable
from vestige.protect.arrays import protect_array
from vestige.protect.resolve_defense import ResolvedDefense, resolve_defense, resolve_for_queries
from vestige.protect.tables import ProtectedTable, protect_to_file, protect_to_folder
from vestige.protect.treatment import Treatment, check_description, describe_array
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
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
    out: str | Path,
    defense: str,
    *,
    vector_column: str | None = None,
    queries: bool = False,
    form: Format = "float",
    engine: Engine = LOCAL,
    progress: Progress = silent,
) -> Protected:
    """Defend all vectors of `source` and write them to `out`, which appears only when complete.

    `out` is a .npy or .parquet file, or a folder of parquet files: an address such as "s3://BUCKET/FOLDER", or a path
    that ends in "/". `defense` is the folder of a fitted defense, or a spec such as "rounding:2". A defense that learns
    is fitted on a sample of the vectors and saved in the folder `out`.defense, next to `out`. With `queries`, the
    vectors are search queries, and `defense` is the folder of the defense that protects the store.
    """
    place = _resolve_out(out, form)
    with open_store(source, Columns(vectors=vector_column)) as store:
        description = store.describe()
        if queries:
            resolved = resolve_for_queries(defense, description.dimension)
        else:
            resolved = resolve_defense(defense, store, _name_defense(place), description.dimension)
        _check_format(resolved, form)
        treatment = Treatment(resolved.defense, queries, form == "compact")
        table = ProtectedTable.plan(str(source), Columns(vectors=vector_column), store)
        others = tuple(name for name in store.columns if name != table.vectors)
    try:
        rows = _write(table, place, treatment, resolved.publish, engine=engine, progress=progress)
    except BaseException as error:
        _take_back(resolved, place, usable=not isinstance(error, UnusableRows | SourceChanged))
        raise
    is_array = isinstance(place, Path) and place.suffix == ".npy"
    defended = resolved.defense
    return Protected(
        rows,
        treatment.dimension,
        () if is_array else others,
        resolved.folder,
        defended.info,
        treatment.code,
        defended.code(),
    )


def _resolve_out(out: str | Path, form: Format) -> Path | Folder:
    """The file or folder to write. Raise, before any work, if that would overwrite anything or is not possible."""
    if is_url(out) or str(out).endswith("/"):
        folder = open_folder(str(out))
        check_folder_writable(folder)
        return folder
    path = Path(out)
    check_vector_path(path)
    if path.exists():
        remove_leftovers(path)
        raise InputError(f"{path} already exists; name a file that does not, or move it away")
    if path.suffix == ".npy" and form == "float" and code_path(path).exists():
        raise InputError(
            f"{code_path(path)} exists and would describe {path.name} wrongly; move it away, or name another file"
        )
    check_writable(path.parent)
    return path


def _name_defense(place: Path | Folder) -> Path:
    """The folder for a defense that is fitted now: next to the output, or here if that is on another machine."""
    if isinstance(place, RemoteFolder):
        return Path(f"{place.place.rstrip('/').rpartition('/')[2]}.defense")
    path = place.path if isinstance(place, LocalFolder) else place
    return path.with_name(f"{path.name}.defense")


def _check_format(resolved: ResolvedDefense, form: Format) -> None:
    if form == "compact" and resolved.defense.code() is None:
        resolved.discard()
        raise InputError(
            f"defense '{resolved.defense.info.name}' has no compact format; expected binary or int8; "
            "drop --format compact"
        )


def _write(
    table: ProtectedTable,
    place: Path | Folder,
    treatment: Treatment,
    publish: Callable[[], None],
    *,
    engine: Engine,
    progress: Progress,
) -> int:
    """Write the output. When it is complete, but before it appears, the files that belong to it are published."""
    if not isinstance(place, Path):
        return protect_to_folder(table, place, treatment, publish, engine=engine, progress=progress)
    if place.suffix != ".npy":
        return protect_to_file(table, place, treatment, publish, engine=engine, progress=progress)
    check_description(place, treatment.code)

    def publish_all() -> None:
        publish()
        describe_array(place, treatment.code)

    if _is_plain_array(Path(table.source)):
        return protect_array(Path(table.source), place, treatment, publish_all, engine=engine, progress=progress)
    return protect_to_file(table, place, treatment, publish_all, engine=engine, progress=progress)


def _take_back(resolved: ResolvedDefense, place: Path | Folder, *, usable: bool) -> None:
    """Hide the defense of a run that did not complete, and remove it if no later run can use it."""
    if usable and not (resolved.fresh and _is_untouched(place)):
        resolved.withdraw()
    else:
        resolved.discard()


def _is_untouched(place: Path | Folder) -> bool:
    """Whether nothing of a stopped run is there that a later one could continue with."""
    if isinstance(place, Path):
        return not name_parts(place).exists()
    with suppress(Unreachable):
        return not place.list_names()
    return False


def _is_plain_array(source: Path) -> bool:
    """Whether a source is a .npy file of numbers, not of codes, in row-major order."""
    if source.suffix.lower() != ".npy" or not source.is_file() or code_path(source).is_file():
        return False
    return bool(np.load(source, mmap_mode="r", allow_pickle=False).flags.c_contiguous)
