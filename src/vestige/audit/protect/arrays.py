"""From .npy to .npy: a block is read, defended and written at a time, and nothing else is in memory."""

import hashlib
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from vestige.audit.protect.growing import LEDGER, WHOLE, growing
from vestige.defenses.defense import ROWS_AT_ONCE, Defense
from vestige.defenses.saved import digest_of
from vestige.errors import InputError
from vestige.files import parts_folder
from vestige.types import Progress, silent

BLOCK_BYTES = 2**23
SINGLE = 4


def protect_array(source: Path, out: Path, defense: Defense, *, progress: Progress = silent) -> tuple[int, int]:
    """Rows and columns of what was written; the same bytes, whether it was stopped on the way or not.

    What was stopped goes on where it was, unless the source or the defense has changed since.
    """
    given = np.load(source, mmap_mode="r", allow_pickle=False)
    columns = defense.transform(np.zeros((0, given.shape[1]), np.float32)).shape[1]
    advance = progress("protecting", len(given))
    with parts_folder(out.parent / f".{out.name}.parts", LEDGER) as parts:
        with growing(parts, _work(source, defense), _header(len(given), columns), columns * SINGLE) as whole:
            _check_room(out, (len(given) - whole.rows) * columns * SINGLE)
            advance(whole.rows)
            with source.open("rb", buffering=0) as file:
                for block in _blocks(file, given, whole.rows):
                    whole.append(defense.transform(block, start=whole.rows))
                    advance(len(block))
        (parts / WHOLE).replace(out)
    return len(given), columns


def _blocks(file: BinaryIO, given: Any, first: int) -> Iterator[Any]:
    """The rows from `first` on, each block in the place of the last. Not by the map, whose pages count as memory."""
    row_bytes = given.strides[0]
    rows = max(1, BLOCK_BYTES // (row_bytes * ROWS_AT_ONCE)) * ROWS_AT_ONCE
    room = np.empty((min(rows, len(given) - first), given.shape[1]), given.dtype)
    file.seek(given.offset + first * row_bytes)
    for start in range(first, len(given), len(room)):
        block = room[: len(given) - start]
        left = block.reshape(-1).view(np.uint8).data
        while left:
            read = file.readinto(left)  # type: ignore[attr-defined]
            if not read:
                raise InputError(f"{file.name} became shorter while it was read; expected {len(given):,} rows")
            left = left[read:]
        yield block


def _header(rows: int, columns: int) -> bytes:
    written = BytesIO()
    np.lib.format.write_array_header_1_0(written, {"descr": "<f4", "fortran_order": False, "shape": (rows, columns)})
    return written.getvalue()


def _work(source: Path, defense: Defense) -> str:
    """A digest of the file as it is now and of the defense."""
    state = source.stat()
    told = (str(source.resolve()), state.st_size, state.st_mtime_ns, digest_of(defense))
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _check_room(out: Path, needed: int) -> None:
    free = shutil.disk_usage(out.parent).free
    if free < needed:
        raise InputError(
            f"{out} takes {needed / 2**30:.1f} GiB and {free / 2**30:.1f} GiB are free there; name another place"
        )
