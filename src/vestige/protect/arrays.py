"""Defend a .npy file into a .npy file: every core reads, defends and writes one block at a time."""

import hashlib
import shutil
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from joblib import cpu_count
from threadpoolctl import threadpool_limits

from vestige.defenses.defense import ROWS_AT_ONCE
from vestige.errors import InputError, UnusableRows
from vestige.files import parts_folder
from vestige.protect.checkpointed_file import LEDGER, WHOLE, open_checkpointed
from vestige.protect.direct_io import PAGE, DirectFile, open_direct
from vestige.protect.treatment import Treatment, describe_array
from vestige.types import Progress, silent

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def map_parallel(work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
    """Yield `work(item)` in the order of the items, computing a few items ahead of the consumer.

    It runs in threads, so most of the work should be in libraries that release the GIL. Meanwhile each matrix product
    uses one core.
    """
    cores = cpu_count()
    pending: deque[Future[_Result]] = deque()
    with threadpool_limits(limits=1), ThreadPoolExecutor(max_workers=cores) as pool:
        for item in items:
            pending.append(pool.submit(work, item))
            while pending and (len(pending) > cores or pending[0].done()):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


BLOCK_BYTES = 2**21


def protect_array(source: Path, out: Path, treatment: Treatment, *, progress: Progress = silent) -> int:
    """Write the treated vectors and return the number of rows.

    A run that was stopped resumes, unless the source or the defense has changed since, and gives the same bytes.
    Only the blocks in work are in memory.
    """
    vectors = np.load(source, mmap_mode="r", allow_pickle=False)
    advance = progress("protecting", len(vectors))
    header, row_bytes = _build_header(len(vectors), treatment), treatment.row_bytes
    with parts_folder(out.parent / f".{out.name}.parts", LEDGER) as parts:
        try:
            with (
                open_checkpointed(parts, _identify_work(source, treatment), header, row_bytes) as target,
                open_direct(source, "rb") as file,
            ):
                _check_space(out, (len(vectors) - target.rows) * row_bytes)
                advance(target.rows)

                def protect_block(start: int) -> int:
                    block = _read_block(file, vectors, start)
                    target.write(start, _treat(treatment, block, start, source))
                    return len(block)

                for rows in map_parallel(protect_block, range(target.rows, len(vectors), _rows_per_block(vectors))):
                    target.grow(rows)
                    advance(rows)
        except UnusableRows:
            (parts / LEDGER).unlink(missing_ok=True)
            raise
        describe_array(out, treatment.code)
        (parts / WHOLE).replace(out)
    return len(vectors)


def _treat(treatment: Treatment, block: Any, start: int, source: Path) -> Any:
    try:
        return treatment.apply(block, start)
    except InputError as error:
        raise UnusableRows(f"{source}: {error}") from error


def _row_bytes(vectors: Any) -> int:
    return int(vectors.itemsize * vectors.shape[1])


def _rows_per_block(vectors: Any) -> int:
    return int(max(1, BLOCK_BYTES // (_row_bytes(vectors) * ROWS_AT_ONCE)) * ROWS_AT_ONCE)


def _read_block(file: DirectFile, vectors: Any, start: int) -> Any:
    """Read the rows from `start` on; valid until this thread reads again. Pages of the map would count as memory."""
    rows = min(_rows_per_block(vectors), len(vectors) - start)
    content = file.read(rows * _row_bytes(vectors), vectors.offset + start * _row_bytes(vectors))
    if len(content) < rows * _row_bytes(vectors):
        raise InputError(f"{vectors.filename} became shorter while it was read; expected {len(vectors):,} rows")
    return np.frombuffer(content, vectors.dtype).reshape(rows, -1)


def _build_header(rows: int, treatment: Treatment) -> bytes:
    """Build the .npy header, padded with blanks so that the rows begin on a page."""
    written = BytesIO()
    fields = {"descr": treatment.dtype.str, "fortran_order": False, "shape": (rows, treatment.columns)}
    np.lib.format.write_array_header_1_0(written, fields)
    magic, described = written.getvalue()[:8], written.getvalue()[10:].rstrip()
    return magic + struct.pack("<H", PAGE - 10) + described.ljust(PAGE - 11) + b"\n"


def _identify_work(source: Path, treatment: Treatment) -> str:
    """A digest of the current state of the source and of the treatment."""
    state = source.stat()
    identity = (str(source.resolve()), state.st_size, state.st_mtime_ns, treatment.digest)
    return hashlib.sha256(repr(identity).encode()).hexdigest()


def _check_space(out: Path, needed: int) -> None:
    free = shutil.disk_usage(out.parent).free
    if free < needed:
        raise InputError(
            f"{out} needs {needed / 2**20:,.0f} MiB and its disk has {free / 2**20:,.0f} MiB free; name another place"
        )
