"""The parts that a job writes: each complete or absent, with a record of what it is, so that any run can be resumed.

While a run is unfinished its folder has the file `_plan.json`, the parts, and a record of each part in `_records`.
When it is complete, `_manifest.json` lists the parts with their digests, and the rest is removed.
"""

import hashlib
import json
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, cast

from vestige.engine.folders import LOCK, PROBE, TEMPORARY, Folder, LocalFolder, RemoteFolder
from vestige.engine.job import Engine, FolderTaken, Job, SourceChanged
from vestige.engine.lock import lock_folder
from vestige.errors import InputError, UnusableRows
from vestige.files import make_folder, sole_user
from vestige.types import Advance

SCHEMA = 1
PLAN, MANIFEST, RECORDS = "_plan.json", "_manifest.json", "_records"


@dataclass(frozen=True, slots=True)
class Part:
    """Rows `start` to `stop` of a table; `number` is the position among the parts, from which the name follows."""

    number: int
    start: int
    stop: int

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.stop - self.start

    def __str__(self) -> str:
        return f"part {self.number}, rows {self.start:,} to {self.stop - 1:,}"


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A part that was written completely. `detail` has counts that the work adds."""

    number: int
    name: str
    rows: int
    sha256: str
    work: str
    detail: dict[str, int] = field(default_factory=dict)


class PartWriter(Protocol):
    """What computes a part. A cluster sends it to every worker."""

    def prepare(self, advance: Advance) -> "Callable[[Any, Path], dict[str, int]]":
        """Open and load what all parts need; returns a function that writes a part to a file, and counts."""


@dataclass(frozen=True)
class PartsWork:
    """Writes parts into a folder, unless they are already there.

    `work` is a digest of everything that the parts depend on. `ending` is that of the names of the parts.
    """

    folder: Folder
    work: str
    ending: str
    writer: PartWriter

    def prepare(self, advance: Advance) -> "_WriteParts":
        """Prepare the writer, unless this machine has another disk than the command."""
        self.folder.check_owner()
        return _WriteParts(self, self.writer.prepare(advance), advance)


class _WriteParts:
    def __init__(self, work: PartsWork, write: Callable[[Any, Path], dict[str, int]], advance: Advance) -> None:
        self._work, self._write, self._advance = work, write, advance
        self._folder = work.folder

    def __call__(self, part: Any) -> PartRecord:
        work = self._work.work + getattr(part, "digest", "")
        known = read_record(self._folder, part.number, work)
        if known is not None and self._folder.compute_sha256(known.name) == known.sha256:
            self._advance(known.rows)
            return known
        name = name_part(part.number, self._work.ending)
        with self._folder.scratch(name) as scratch:
            detail = self._write(part, scratch)
            digest = LocalFolder(scratch.parent).compute_sha256(scratch.name)
        assert digest is not None
        rows = detail.pop("rows", part.rows)
        record = PartRecord(part.number, name, rows, digest, work, detail)
        write_record(self._folder, record)
        self._folder.delete(name_partial(part.number))
        return record

    def close(self) -> None:
        """Release what the writer opened."""
        getattr(self._write, "close", lambda: None)()


def name_part(number: int, ending: str) -> str:
    """The name of a part."""
    return f"part-{number:06d}{ending}"


def read_record(folder: Folder, number: int, work: str) -> PartRecord | None:
    """The record of a part of this work; None if it is missing, damaged, or of other work."""
    content = folder.read(_name_record(number))
    try:
        fields = {} if content is None else dict(json.loads(content))
        seal = fields.pop("seal", None)
        record = PartRecord(**fields)
    except (ValueError, TypeError, RecursionError):
        return None
    return record if (seal, record.number, record.work) == (_seal(record), number, work) else None


def write_record(folder: Folder, record: PartRecord) -> None:
    """Write a record, after its part."""
    folder.write(_name_record(record.number), json.dumps({**asdict(record), "seal": _seal(record)}).encode())


def _seal(record: PartRecord) -> str:
    """The digest by which a record that was damaged is distinguished from one that was written."""
    return hashlib.sha256(json.dumps(asdict(record), sort_keys=True).encode()).hexdigest()


def name_partial(number: int) -> str:
    """The name under which a writer may store what it has of an unfinished part."""
    return f"{RECORDS}/{number:06d}.partial"


def _name_record(number: int) -> str:
    return f"{RECORDS}/{number:06d}.json"


def run_parts(
    engine: Engine,
    job: Job[Any, PartRecord],
    parts: Iterable[Any],
    total: int,
    folder: Folder,
    advance: Advance,
) -> list[PartRecord]:
    """Write all parts, and return their records in order. Results that can never be used are discarded.

    Workers of a cluster write into `folder` only if they see the same one, and only until a later run holds it.
    """
    if engine.is_cluster and isinstance(folder, LocalFolder):
        work = cast(Any, job.work)
        job = replace(job, work=replace(work, folder=folder.hold(secrets.token_hex(8))))
    try:
        records = [outcome.result for outcome in engine.run(job, parts, total, advance)]
    except (UnusableRows, SourceChanged):
        discard(folder)
        raise
    return sorted(records, key=lambda record: record.number)


@contextmanager
def claim(folder: Folder, work: str) -> Iterator[Folder]:
    """The folder, held for one run: it is new, or has an unfinished run. Raise if it holds anything else.

    What is left of killed workers is removed. Another run at the same time is refused.
    """
    _remove_rest(folder)
    _list_claimable(folder)
    with _locked(folder) as held:
        _begin(held, _list_claimable(held), work)
        try:
            yield held
        except FolderTaken:
            raise
        except BaseException:
            if not any(name.startswith(f"{RECORDS}/0") for name in held.list_names()):
                discard(held)
            raise


def _remove_rest(folder: Folder) -> None:
    """Remove what a run left that was killed after it wrote the manifest. Raise if it is still at it."""
    names = folder.list_names()
    rest = [name for name in names if name == PLAN or name.startswith(f"{RECORDS}/")]
    if MANIFEST in names and rest:
        with _locked(folder) as held:
            held.delete(*rest)


def _list_claimable(folder: Folder) -> list[str]:
    """The files in a folder that is new or has an unfinished run. Raise if it has anything else."""
    names = folder.list_names()
    if MANIFEST in names:
        raise InputError(f"{folder.place} is already complete; name another folder, or move it away")
    if names and PLAN not in names and not all(_is_ours(name) for name in names):
        raise InputError(f"{folder.place} is not empty, and holds no unfinished run; name a new folder")
    return names


@contextmanager
def _locked(folder: Folder) -> Iterator[Folder]:
    if isinstance(folder, RemoteFolder):
        with lock_folder(folder) as held:
            yield held
        return
    with sole_user(make_folder(folder.path / RECORDS), folder.path):
        yield folder


def _begin(folder: Folder, names: Sequence[str], work: str) -> None:
    folder.delete(*(name for name in names if name.endswith(TEMPORARY)))
    folder.write(PLAN, json.dumps({"work": work}).encode())


def _is_ours(name: str) -> bool:
    return name == PROBE or name.startswith((f"{RECORDS}/", "part-", ".part-"))


def finish(folder: Folder, records: Sequence[PartRecord], facts: dict[str, Any]) -> None:
    """Write the manifest, and remove everything that is not listed in it. Raise if a part is not there."""
    here = set(folder.list_names())
    missing = [each.name for each in records if each.name not in here]
    if missing:
        raise InputError(
            f"{folder.place} lacks {missing[0]}, which a worker has written; expected a folder on a disk that all "
            "machines share, name one, or an address such as s3://BUCKET/FOLDER"
        )
    listed = [{"name": each.name, "rows": each.rows, "sha256": each.sha256} for each in records]
    manifest = {"schema": SCHEMA, "rows": sum(each.rows for each in records), **facts, "parts": listed}
    folder.write(MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    wanted = {MANIFEST, LOCK, *(each.name for each in records)}
    folder.delete(*(name for name in folder.list_names() if name not in wanted))
    if isinstance(folder, LocalFolder):
        shutil.rmtree(folder.path / RECORDS)


def discard(folder: Folder) -> None:
    """Remove everything that an unfinished run wrote, and the folder if nothing else is in it."""
    held = {LOCK} if isinstance(folder, RemoteFolder) else set[str]()
    folder.delete(*(name for name in folder.list_names() if name not in held and (name == PLAN or _is_ours(name))))
    folder.remove_empty()


def name_parts(out: Path) -> Path:
    """The folder for the parts of an output file while it is written."""
    return out.parent / f".{out.name}.parts"


def remove_leftovers(out: Path) -> None:
    """Remove the parts of an output file that is complete: a run that was killed at its very end leaves them."""
    parts = name_parts(out)
    if parts.is_dir():
        with sole_user(parts):
            shutil.rmtree(parts)
