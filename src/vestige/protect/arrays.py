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

from vestige.defenses.defense import ROWS_AT_ONCE, Defense
from vestige.defenses.saved import compute_digest
from vestige.errors import InputError, UnusableRows
from vestige.files import parts_folder
from vestige.protect.checkpointed_file import LEDGER, WHOLE, open_checkpointed
from vestige.protect.direct_io import PAGE, DirectFile, open_direct
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
FLOAT_BYTES = 4


def protect_array(source: Path, out: Path, defense: Defense, *, progress: Progress = silent) -> tuple[int, int]:
    """Write the defended vectors and return their rows and columns.

    A run that was stopped resumes, unless the source or the defense has changed since, and gives the same bytes.
    Only the blocks in work are in memory.
    """
    vectors = np.load(source, mmap_mode="r", allow_pickle=False)
    columns = defense.transform(np.zeros((0, vectors.shape[1]), np.float32)).shape[1]
    advance = progress("protecting", len(vectors))
    header, row_bytes = _build_header(len(vectors), columns), columns * FLOAT_BYTES
    with parts_folder(out.parent / f".{out.name}.parts", LEDGER) as parts:
        try:
            with (
                open_checkpointed(parts, _identify_work(source, defense), header, row_bytes) as target,
                open_direct(source, "rb") as file,
            ):
                _check_space(out, (len(vectors) - target.rows) * row_bytes)
                advance(target.rows)

                def protect_block(start: int) -> int:
                    block = _read_block(file, vectors, start)
                    target.write(start, _transform(defense, block, start, source))
                    return len(block)

                for rows in map_parallel(protect_block, range(target.rows, len(vectors), _rows_per_block(vectors))):
                    target.grow(rows)
                    advance(rows)
        except UnusableRows:
            (parts / LEDGER).unlink(missing_ok=True)
            raise
        (parts / WHOLE).replace(out)
    return len(vectors), columns


def _transform(defense: Defense, block: Any, start: int, source: Path) -> Any:
    try:
        return defense.transform(block, start=start)
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


def _build_header(rows: int, columns: int) -> bytes:
    """Build the .npy header, padded with blanks so that the rows begin on a page."""
    written = BytesIO()
    np.lib.format.write_array_header_1_0(written, {"descr": "<f4", "fortran_order": False, "shape": (rows, columns)})
    magic, fields = written.getvalue()[:8], written.getvalue()[10:].rstrip()
    return magic + struct.pack("<H", PAGE - 10) + fields.ljust(PAGE - 11) + b"\n"


def _identify_work(source: Path, defense: Defense) -> str:
    """A digest of the current state of the source and of the defense."""
    state = source.stat()
    identity = (str(source.resolve()), state.st_size, state.st_mtime_ns, compute_digest(defense))
    return hashlib.sha256(repr(identity).encode()).hexdigest()


def _check_space(out: Path, needed: int) -> None:
    free = shutil.disk_usage(out.parent).free
    if free < needed:
        raise InputError(
            f"{out} needs {needed / 2**20:,.0f} MiB and its disk has {free / 2**20:,.0f} MiB free; name another place"
        )
