"""From .npy to .npy: every core reads, defends and writes a block at a time, and nothing else is in memory."""

import hashlib
import shutil
import struct
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from vestige.defenses.defense import ROWS_AT_ONCE, Defense
from vestige.defenses.saved import digest_of
from vestige.errors import InputError, UnusableRows
from vestige.files import parts_folder
from vestige.protect.cores import on_every_core
from vestige.protect.direct import PAGE, DirectFile, opened_direct
from vestige.protect.growing import LEDGER, WHOLE, growing
from vestige.types import Progress, silent

BLOCK_BYTES = 2**21
SINGLE = 4


def protect_array(source: Path, out: Path, defense: Defense, *, progress: Progress = silent) -> tuple[int, int]:
    """Rows and columns of what was written; the same bytes, whether it was stopped on the way or not.

    What was stopped goes on where it was, unless the source or the defense has changed since.
    """
    given = np.load(source, mmap_mode="r", allow_pickle=False)
    columns = defense.transform(np.zeros((0, given.shape[1]), np.float32)).shape[1]
    advance = progress("protecting", len(given))
    with parts_folder(out.parent / f".{out.name}.parts", LEDGER) as parts:
        try:
            with (
                growing(parts, _work(source, defense), _header(len(given), columns), columns * SINGLE) as whole,
                opened_direct(source, "rb") as file,
            ):
                _check_room(out, (len(given) - whole.rows) * columns * SINGLE)
                advance(whole.rows)

                def defended(start: int) -> int:
                    block = _block(file, given, start)
                    whole.write(start, _moved(defense, block, start, source))
                    return len(block)

                for rows in on_every_core(defended, range(whole.rows, len(given), _rows_of_a_block(given))):
                    whole.grow(rows)
                    advance(rows)
        except UnusableRows:
            (parts / LEDGER).unlink(missing_ok=True)
            raise
        (parts / WHOLE).replace(out)
    return len(given), columns


def _moved(defense: Defense, block: Any, start: int, source: Path) -> Any:
    try:
        return defense.transform(block, start=start)
    except InputError as error:
        raise UnusableRows(f"{source}: {error}") from error


def _row_bytes(given: Any) -> int:
    return int(given.itemsize * given.shape[1])


def _rows_of_a_block(given: Any) -> int:
    return int(max(1, BLOCK_BYTES // (_row_bytes(given) * ROWS_AT_ONCE)) * ROWS_AT_ONCE)


def _block(file: DirectFile, given: Any, start: int) -> Any:
    """The rows from `start` on, good until the next of this thread. Not by the map, whose pages count as memory."""
    rows = min(_rows_of_a_block(given), len(given) - start)
    read = file.read(rows * _row_bytes(given), given.offset + start * _row_bytes(given))
    if len(read) < rows * _row_bytes(given):
        raise InputError(f"{given.filename} became shorter while it was read; expected {len(given):,} rows")
    return np.frombuffer(read, given.dtype).reshape(rows, -1)


def _header(rows: int, columns: int) -> bytes:
    """That of the format, with so many blanks that rows begin with a page."""
    written = BytesIO()
    np.lib.format.write_array_header_1_0(written, {"descr": "<f4", "fortran_order": False, "shape": (rows, columns)})
    begin, told = written.getvalue()[:8], written.getvalue()[10:].rstrip()
    return begin + struct.pack("<H", PAGE - 10) + told.ljust(PAGE - 11) + b"\n"


def _work(source: Path, defense: Defense) -> str:
    """A digest of the file as it is now and of the defense."""
    state = source.stat()
    told = (str(source.resolve()), state.st_size, state.st_mtime_ns, digest_of(defense))
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _check_room(out: Path, needed: int) -> None:
    free = shutil.disk_usage(out.parent).free
    if free < needed:
        raise InputError(
            f"{out} takes {needed / 2**20:,.0f} MiB and {free / 2**20:,.0f} MiB are free there; name another place"
        )
