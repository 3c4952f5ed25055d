"""A file that grows by rows and, after a kill, resumes with the rows that are certainly on the disk."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from vestige.files import drop_from_cache, write_whole
from vestige.protect.direct_io import DirectFile, open_direct
from vestige.types import Vectors

CHECKPOINT_BYTES = 2**28
LEDGER, WHOLE = "done.json", "whole"


class CheckpointedFile:
    """Rows of equal length after a header. `rows` counts the rows written without a gap.

    Checkpoints run in the background: the file is synced to the disk, and only then a ledger next to it records how
    many rows it holds. Rows after the last checkpoint are written again.
    """

    def __init__(self, file: DirectFile, begin: int, row_bytes: int, ledger: Path, work: str) -> None:
        self._file, self._begin, self._row_bytes = file, begin, row_bytes
        self._ledger, self._work = ledger, work
        self._executor = ThreadPoolExecutor(max_workers=1)
        self._checkpoint: Future[None] | None = None
        recorded = _read_ledger(ledger, work)
        self.rows = recorded if os.fstat(file.fileno()).st_size >= self._offset(recorded) else 0
        self._recorded = self.rows
        os.ftruncate(file.fileno(), self._offset(self.rows))

    def write(self, first: int, rows: Vectors) -> None:
        """Write these rows at their place. Other threads may write others meanwhile."""
        self._file.write(rows.reshape(-1).view(np.uint8).data, self._offset(first))

    def grow(self, rows: int) -> None:
        """Count so many more rows as written without a gap, and start a checkpoint if enough bytes have gathered."""
        self.rows += rows
        unrecorded = (self.rows - self._recorded) * self._row_bytes
        if unrecorded >= CHECKPOINT_BYTES and (self._checkpoint is None or self._checkpoint.done()):
            self._start_checkpoint()

    def close(self) -> None:
        """Write a checkpoint of all rows, and wait for it."""
        self._start_checkpoint()
        assert self._checkpoint is not None
        self._checkpoint.result()

    def stop(self) -> None:
        """Wait for the checkpoint in progress."""
        self._executor.shutdown()

    def _offset(self, row: int) -> int:
        return self._begin + row * self._row_bytes

    def _start_checkpoint(self) -> None:
        if self._checkpoint is not None:
            self._checkpoint.result()
        self._recorded = self.rows
        self._checkpoint = self._executor.submit(self._record, self.rows)

    def _record(self, rows: int) -> None:
        os.fsync(self._file.fileno())
        drop_from_cache(self._file.fileno(), 0, self._offset(rows))
        write_whole(self._ledger, json.dumps({"work": self._work, "rows": rows}).encode())


@contextmanager
def open_checkpointed(folder: Path, work: str, header: bytes, row_bytes: int) -> Iterator[CheckpointedFile]:
    """Open the file in this folder with the rows of an earlier run of the same `work`, or empty.

    After the block, all rows are on the disk.
    """
    path = folder / WHOLE
    path.touch(mode=0o600)
    with open_direct(path, "r+b") as file:
        file.write(memoryview(header), 0)
        target = CheckpointedFile(file, len(header), row_bytes, folder / LEDGER, work)
        try:
            yield target
            target.close()
        finally:
            target.stop()


def _read_ledger(ledger: Path, work: str) -> int:
    """The rows that an earlier run of this work has certainly written; none if the ledger is damaged."""
    if not ledger.is_file():
        return 0
    try:
        written = json.loads(ledger.read_bytes())
        return int(written["rows"]) if written["work"] == work else 0
    except (ValueError, KeyError, TypeError):
        return 0
