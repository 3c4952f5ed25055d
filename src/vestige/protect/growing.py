"""A file that grows by rows, and goes on after a kill with the rows that are surely there."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from vestige.files import drop_from_cache, write_whole
from vestige.protect.direct import DirectFile, opened_direct
from vestige.types import Vectors

CHECKPOINT_BYTES = 2**28
LEDGER, WHOLE = "done.json", "whole"


class GrowingFile:
    """Rows of one length behind a header. `rows` counts those that are there, none missing before them.

    Now and then what was written is forced to the disk, aside, and only then the ledger beside it says how many rows
    that are; what comes after them is written again.
    """

    def __init__(self, file: DirectFile, begin: int, row_bytes: int, ledger: Path, work: str) -> None:
        self._file, self._begin, self._row_bytes = file, begin, row_bytes
        self._ledger, self._work = ledger, work
        self._settler = ThreadPoolExecutor(max_workers=1)
        self._settling: Future[None] | None = None
        self.rows = self._sure = _rows_done(ledger, work)
        if os.fstat(file.fileno()).st_size < self._place(self.rows):
            self.rows = self._sure = 0
        os.ftruncate(file.fileno(), self._place(self.rows))

    def write(self, first: int, rows: Vectors) -> None:
        """Put these rows at their place. Others may be written meanwhile."""
        self._file.write(rows.reshape(-1).view(np.uint8).data, self._place(first))

    def grow(self, rows: int) -> None:
        """So many more rows follow those that were there; now and then, make sure of them all."""
        self.rows += rows
        waiting = (self.rows - self._sure) * self._row_bytes
        if waiting >= CHECKPOINT_BYTES and (self._settling is None or self._settling.done()):
            self._settle()

    def close(self) -> None:
        """Make sure of all rows."""
        self._settle()
        assert self._settling is not None
        self._settling.result()

    def stop(self) -> None:
        """Wait for what is under way."""
        self._settler.shutdown()

    def _place(self, row: int) -> int:
        return self._begin + row * self._row_bytes

    def _settle(self) -> None:
        if self._settling is not None:
            self._settling.result()
        self._sure = self.rows
        self._settling = self._settler.submit(self._make_sure, self.rows)

    def _make_sure(self, rows: int) -> None:
        os.fsync(self._file.fileno())
        drop_from_cache(self._file.fileno(), 0, self._place(rows))
        write_whole(self._ledger, json.dumps({"work": self._work, "rows": rows}).encode())


@contextmanager
def growing(folder: Path, work: str, header: bytes, row_bytes: int) -> Iterator[GrowingFile]:
    """The file in this folder, as far as it had grown at this `work`; of another work nothing is kept.

    Outside, it is on the disk.
    """
    path = folder / WHOLE
    path.touch(mode=0o600)
    with opened_direct(path, "r+b") as file:
        file.write(memoryview(header), 0)
        whole = GrowingFile(file, len(header), row_bytes, folder / LEDGER, work)
        try:
            yield whole
            whole.close()
        finally:
            whole.stop()


def _rows_done(ledger: Path, work: str) -> int:
    if not ledger.is_file():
        return 0
    try:
        written = json.loads(ledger.read_bytes())
        return int(written["rows"]) if written["work"] == work else 0
    except (ValueError, KeyError, TypeError):
        return 0
