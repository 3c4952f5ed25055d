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
    """Rows of one length behind a header. `rows` counts those that were given.

    Writing goes on aside while the next rows are made. Now and then what was written is forced to the disk, and only
    then the ledger beside it says how many rows that are; what comes after them is written again.
    """

    def __init__(self, file: BinaryIO, ledger: Path, work: str, rows: int) -> None:
        self.rows = rows
        self._file, self._ledger, self._work = file, ledger, work
        self._unsure = 0
        self._writer, self._settler = ThreadPoolExecutor(max_workers=1), ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None
        self._settling: Future[None] | None = None

    def append(self, rows: Vectors) -> None:
        """Write these rows, which nobody may change from now on, behind the others."""
        if self._writing is not None:
            self._writing.result()
        self.rows += len(rows)
        self._writing = self._writer.submit(self._write, rows, self.rows)

    def close(self) -> None:
        """Make sure of all rows."""
        if self._writing is not None:
            self._writing.result()
        self._settle(self.rows)
        assert self._settling is not None
        self._settling.result()

    def stop(self) -> None:
        """Wait for what is under way."""
        self._writer.shutdown()
        self._settler.shutdown()

    def _write(self, rows: Vectors, count: int) -> None:
        left = rows.reshape(-1).view(np.uint8).data
        self._unsure += len(left)
        while left:
            left = left[self._file.write(left) :]
        if self._unsure >= CHECKPOINT_BYTES and (self._settling is None or self._settling.done()):
            self._settle(count)

    def _settle(self, rows: int) -> None:
        if self._settling is not None:
            self._settling.result()
        self._settling = self._settler.submit(self._make_sure, rows)
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
        try:
            yield whole
            whole.close()
        finally:
            whole.stop()


def _rows_done(ledger: Path, work: str) -> int:
    if not ledger.is_file():
        return 0
    written = json.loads(ledger.read_bytes())
    return int(written["rows"]) if written["work"] == work else 0
