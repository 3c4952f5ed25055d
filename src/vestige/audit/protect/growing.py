"""A file that grows row by row, and goes on after a kill with the rows that are surely there."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from vestige.files import write_whole
from vestige.types import Vectors

CHECKPOINT_BYTES = 2**28
LEDGER, WHOLE = "done.json", "whole"


class GrowingFile:
    """Rows of one length behind a header. `rows` counts those that are there.

    Now and then what was written is forced to the disk, while more is written, and only then the ledger beside it says
    how many rows that are; what comes after them is written again.
    """

    def __init__(self, file: BinaryIO, ledger: Path, work: str, rows: int) -> None:
        self.rows = rows
        self._file, self._ledger, self._work = file, ledger, work
        self._unsure = 0
        self._aside = ThreadPoolExecutor(max_workers=1)
        self._settling: Future[None] | None = None

    def append(self, rows: Vectors) -> None:
        """Write these rows behind the others."""
        left = rows.reshape(-1).view(np.uint8).data
        self._unsure += len(left)
        while left:
            left = left[self._file.write(left) :]
        self.rows += len(rows)
        if self._unsure >= CHECKPOINT_BYTES and (self._settling is None or self._settling.done()):
            self._settle()

    def close(self) -> None:
        """Make sure of all rows."""
        self._settle()
        assert self._settling is not None
        self._settling.result()
        self._aside.shutdown()

    def _settle(self) -> None:
        if self._settling is not None:
            self._settling.result()
        self._settling = self._aside.submit(self._make_sure, self.rows)
        self._unsure = 0

    def _make_sure(self, rows: int) -> None:
        os.fsync(self._file.fileno())
        write_whole(self._ledger, json.dumps({"work": self._work, "rows": rows}).encode())


@contextmanager
def growing(folder: Path, work: str, header: bytes, row_bytes: int) -> Iterator[GrowingFile]:
    """The file in this folder, as far as it had grown at this `work`; of another work nothing is kept.

    Outside, it is on the disk.
    """
    path, ledger = folder / WHOLE, folder / LEDGER
    path.touch(mode=0o600)
    rows = _rows_done(ledger, work)
    if path.stat().st_size < len(header) + rows * row_bytes:
        rows = 0
    with path.open("r+b", buffering=0) as file:
        file.write(header)
        file.truncate(file.seek(rows * row_bytes, os.SEEK_CUR))
        whole = GrowingFile(file, ledger, work, rows)
        yield whole
        whole.close()


def _rows_done(ledger: Path, work: str) -> int:
    if not ledger.is_file():
        return 0
    written = json.loads(ledger.read_bytes())
    return int(written["rows"]) if written["work"] == work else 0
