"""Defend a .npy file into a .npy file: every worker reads, defends and writes one block at a time at its place."""

import hashlib
import os
import shutil
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from vestige.defenses.defense import ROWS_AT_ONCE
from vestige.engine.folders import LocalFolder
from vestige.engine.job import Engine, Job, SourceChanged
from vestige.engine.parts import Part, PartRecord, name_parts, read_record, run_parts, write_record
from vestige.errors import InputError, UnusableRows
from vestige.files import drop_from_cache, parts_folder
from vestige.protect.direct_io import PAGE, DirectFile, open_direct
from vestige.protect.treatment import Treatment
from vestige.stores.source_state import FileState, check_unchanged, read_state
from vestige.types import Advance, Progress, Vectors, silent

BLOCK_BYTES, PART_BYTES = 2**21, 2**26
"""Bytes of the source in memory at a time, and in a part."""

DIGESTED_AT_ONCE = 2**21
WHOLE = "whole"


@dataclass(frozen=True)
class ArrayWork:
    """Defends ranges of rows of a .npy file and writes them at their place in the file `whole` of a folder."""

    source: str
    state: tuple[FileState, ...] | None
    folder: LocalFolder
    work: str
    treatment: Treatment
    begin: int

    def prepare(self, advance: Advance) -> "_ProtectRange":
        """Open both files, unless this machine has another disk than the command."""
        self.folder.check_owner()
        return _ProtectRange(self, advance)


class _ProtectRange:
    def __init__(self, work: ArrayWork, advance: Advance) -> None:
        self._work, self._advance, self._opened = work, advance, ExitStack()
        self._vectors = np.load(work.source, mmap_mode="r", allow_pickle=False)
        self._source = self._opened.enter_context(open_direct(Path(work.source), "rb"))
        self._folder = work.folder
        self._target = self._opened.enter_context(open_direct(self._folder.path / WHOLE, "r+b"))

    def __call__(self, part: Part) -> PartRecord:
        known = read_record(self._folder, part.number, self._work.work)
        if known is None or self._digest_written(part) != known.sha256:
            known = self._protect(part)
            write_record(self._folder, known)
        self._advance(part.rows)
        return known

    def close(self) -> None:
        """Close both files."""
        self._opened.close()

    def _protect(self, part: Part) -> PartRecord:
        work, digest = self._work, hashlib.sha256()
        for start in range(part.start, part.stop, _rows_per_block(self._vectors)):
            block = _read_block(self._source, self._vectors, start, part.stop)
            treated = _treat(work.treatment, block, start, work.source)
            content = treated.reshape(-1).view(np.uint8).data
            self._folder.check_owner()
            self._target.write(content, self._offset(start))
            digest.update(content)
        check_unchanged(work.source, work.state)
        os.fsync(self._target.fileno())
        drop_from_cache(self._target.fileno(), self._offset(part.start), part.rows * work.treatment.row_bytes)
        return PartRecord(part.number, WHOLE, part.rows, digest.hexdigest(), work.work)

    def _digest_written(self, part: Part) -> str:
        """The digest of what is in the place of a part."""
        digest, end = hashlib.sha256(), self._offset(part.stop)
        for begin in range(self._offset(part.start), end, DIGESTED_AT_ONCE):
            digest.update(self._target.read(min(DIGESTED_AT_ONCE, end - begin), begin))
        return digest.hexdigest()

    def _offset(self, row: int) -> int:
        return self._work.begin + row * self._work.treatment.row_bytes


def protect_array(
    source: Path,
    out: Path,
    treatment: Treatment,
    publish: Callable[[], None],
    *,
    engine: Engine,
    progress: Progress = silent,
) -> int:
    """Write the treated vectors, call `publish` before they appear, and return the number of rows.

    A run that was stopped resumes, unless the source or the defense has changed since, and gives the same bytes.
    Only the blocks in work are in memory.
    """
    vectors, state = np.load(source, mmap_mode="r", allow_pickle=False), read_state(str(source))
    header, size = _build_header(len(vectors), treatment), len(vectors) * treatment.row_bytes
    parts = list(_cut(vectors))
    work = hashlib.sha256(repr((state, treatment.digest, parts[0], len(parts))).encode()).hexdigest()
    with parts_folder(name_parts(out), "_records/0*.json") as folder:
        _check_space(out, size - _count_written(folder / WHOLE))
        _begin(folder / WHOLE, header, len(header) + size)
        job = Job(
            ArrayWork(str(source.resolve()), state, LocalFolder(folder.resolve()), work, treatment, len(header)),
            describe=lambda part: f"{part} of {source}",
            threads=True,
            repeats=True,
        )
        run_parts(engine, job, parts, len(parts), LocalFolder(folder), progress("protecting", len(vectors)))
        publish()
        (folder / WHOLE).replace(out)
    return len(vectors)


def _cut(vectors: Any) -> Iterator[Part]:
    rows = max(1, PART_BYTES // (_row_bytes(vectors) * ROWS_AT_ONCE)) * ROWS_AT_ONCE
    for number, start in enumerate(range(0, len(vectors), rows)):
        yield Part(number, start, min(start + rows, len(vectors)))


def _begin(whole: Path, header: bytes, size: int) -> None:
    """Create the file, or the size that it must have, with the header in it."""
    whole.touch(mode=0o600)
    with whole.open("r+b") as file:
        file.truncate(size)
        file.write(header)


def _count_written(whole: Path) -> int:
    """The bytes of a file that are on the disk, without holes."""
    return whole.stat().st_blocks * 512 if whole.exists() else 0


def _treat(treatment: Treatment, block: Vectors, start: int, source: str) -> Any:
    try:
        return treatment.apply(block, start)
    except InputError as error:
        raise UnusableRows(f"{source}: {error}") from error


def _row_bytes(vectors: Any) -> int:
    return int(vectors.itemsize * vectors.shape[1])


def _rows_per_block(vectors: Any) -> int:
    return int(max(1, BLOCK_BYTES // (_row_bytes(vectors) * ROWS_AT_ONCE)) * ROWS_AT_ONCE)


def _read_block(file: DirectFile, vectors: Any, start: int, stop: int) -> Any:
    """Read the rows from `start` on; valid until this thread reads again. Pages of the map would count as memory."""
    rows = min(_rows_per_block(vectors), stop - start)
    content = file.read(rows * _row_bytes(vectors), vectors.offset + start * _row_bytes(vectors))
    if len(content) < rows * _row_bytes(vectors):
        raise SourceChanged(f"{vectors.filename} became shorter while it was read; expected {len(vectors):,} rows")
    return np.frombuffer(content, vectors.dtype).reshape(rows, -1)


def _build_header(rows: int, treatment: Treatment) -> bytes:
    """Build the .npy header, padded with blanks so that the rows begin on a page."""
    written = BytesIO()
    fields = {"descr": treatment.dtype.str, "fortran_order": False, "shape": (rows, treatment.columns)}
    np.lib.format.write_array_header_1_0(written, fields)
    magic, described = written.getvalue()[:8], written.getvalue()[10:].rstrip()
    return magic + struct.pack("<H", PAGE - 10) + described.ljust(PAGE - 11) + b"\n"


def _check_space(out: Path, needed: int) -> None:
    free = shutil.disk_usage(out.parent).free
    if free < needed:
        raise InputError(
            f"{out} needs {needed / 2**20:,.0f} MiB and its disk has {free / 2**20:,.0f} MiB free; name another place"
        )
