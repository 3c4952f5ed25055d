"""Tables that native libraries parse, read in a process of their own: one per open store.

A damaged index can crash the library that reads it, and with it the whole program, or let it run for ever. Here the
child process dies instead, and the parent raises an InputError. The child ends when the parent does, however that
ended, and deletes the copies of stores that it made. After a store is closed, its child waits for the next of the same
kind, because loading a library takes seconds.

This is the side of the parent; `reader_process` is that of the child, with the form of requests and answers.
"""

import base64
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NoReturn

from vestige.errors import InputError, MissingExtra, UnusableRows, VestigeError
from vestige.memory import check_memory, memory_limit
from vestige.stores.reader_process import END, FAILED, LOGGED, OPENED, TABLE
from vestige.stores.table import Positions, VectorTable

OPENING_S, PER_ROW_S = 120.0, 0.01
"""Seconds of computing after which an answer is given up: to open, and for each row that is read."""

ERRORS: dict[str, type[VestigeError]] = {"InputError": InputError, "UnusableRows": UnusableRows}

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from vestige.stores.reader_process import serve; serve()"
)

log = logging.getLogger(__name__)


class ReaderProcess:
    """A child process that reads one table at a time."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, str(theirs.fileno()), json.dumps(sys.path)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # A Ctrl-C in the terminal goes to the parent alone.
            )
        self.owner = os.getpid()
        self._socket = ours
        self._answers = ours.makefile("rb")

    def send(self, request: dict[str, Any]) -> bool:
        """Send a request; whether the child could take it."""
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except OSError:
            return False
        return True

    def read(self, length: int) -> bytes | None:
        """So many bytes of the answer; None if the child died."""
        try:
            content = self._answers.read(length)
        except (OSError, ValueError):
            return None
        return content if len(content) == length else None

    def end(self) -> int:
        """End the child, wait for it, since it may have to delete a copy, and return its exit code."""
        self._answers.close()
        self._socket.close()
        try:
            return self.process.wait(OPENING_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


WAITING: dict[str, ReaderProcess] = {}
"""Children without a table, by the opener that they loaded before."""


class IsolatedTable(VectorTable):
    """The table that `opener` ("module:name") opens with these arguments, in a child process."""

    def __init__(self, place: str, opener: str, arguments: Sequence[str | None]) -> None:
        self.place, self._opener, self._numbers = place, opener, count()
        waiting = WAITING.pop(opener, None)
        usable = waiting is not None and waiting.owner == os.getpid() and waiting.process.poll() is None
        self._reader = waiting if waiting is not None and usable else ReaderProcess()
        self._open = True
        # For the copies of stores: if the child crashes, this process removes them.
        self._scratch = tempfile.mkdtemp(prefix="vestige-")
        try:
            self._ask(
                {
                    "open": opener,
                    "arguments": list(arguments),
                    "seconds": OPENING_S,
                    "scratch": self._scratch,
                    "memory": memory_limit(),
                }
            )
            self._set_attributes(self._receive(OPENED))
        except VestigeError:
            self.close()
            raise
        except BaseException:
            self._end()
            raise

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Ask the child for these rows."""
        seconds = OPENING_S + PER_ROW_S * len(positions)
        self._ask({"take": positions.tolist(), "names": list(names), "seconds": seconds})
        table = self._parse_table(self._receive(TABLE))
        self._count(self._receive(END))
        return table

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Ask the child for one batch after the other; several may be under way at a time."""
        number, seconds = next(self._numbers), OPENING_S + PER_ROW_S * size
        self._ask({"start": number, "size": size, "names": list(names), "seconds": seconds})
        try:
            while True:
                self._ask({"next": number, "seconds": seconds})
                kind, content = self._receive_any((TABLE, END))
                if kind == END:
                    self._count(content)
                    return
                yield self._parse_table(content)
        except GeneratorExit:
            with suppress(InputError):
                self._ask({"stop": number, "seconds": seconds})
            raise

    def form(self, name: str) -> str | None:
        """What the table in the child says."""
        described: str | None = self._forms.get(name)
        return described

    def close(self) -> None:
        """Close the table in the child, which may delete a copy, and let the child wait for the next."""
        if not self._open:
            return
        try:
            self._ask({"close": True, "seconds": OPENING_S})
            self._receive(END)
        except InputError:
            self._end()
            return
        self._open = False
        shutil.rmtree(self._scratch, ignore_errors=True)
        if self._opener in WAITING:
            self._reader.end()
        else:
            WAITING[self._opener] = self._reader

    def _end(self) -> int:
        self._open = False
        code = self._reader.end()
        shutil.rmtree(self._scratch, ignore_errors=True)
        return code

    def _set_attributes(self, content: bytes) -> None:
        import pyarrow as pa

        described = json.loads(content)
        self.schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(described["schema"])))
        self.place, self.rows, self.exact = described["place"], described["rows"], described["exact"]
        self.guessed, self.row_numbers = tuple(described["guessed"]), described["row_numbers"]
        self.bytes_read, self._forms = described["bytes_read"], described["forms"]

    def _ask(self, request: dict[str, Any]) -> None:
        if not self._reader.send(request):
            self._fail()

    def _receive(self, expected: bytes) -> bytes:
        return self._receive_any((expected,))[1]

    def _receive_any(self, expected: tuple[bytes, ...]) -> tuple[bytes, bytes]:
        """The next answer. Log records are passed on, errors are raised, and an end without an answer is one."""
        while True:
            head = self._read(9)
            kind, length = head[:1], int.from_bytes(head[1:], "little")
            check_memory(length, self.place)
            content = self._read(length)
            if kind in expected:
                return kind, content
            if kind == LOGGED:
                level, message = json.loads(content)
                log.log(level, "%s", message)
            elif kind == FAILED:
                _raise(json.loads(content))
            else:
                self._fail()

    def _read(self, length: int) -> bytes:
        content = self._reader.read(length)
        if content is None:
            self._fail()
        return content

    def _parse_table(self, content: bytes) -> Any:
        import pyarrow as pa

        table = pa.ipc.open_stream(pa.py_buffer(content)).read_all()
        table.validate()
        return table

    def _count(self, content: bytes) -> None:
        self.bytes_read = json.loads(content)

    def _fail(self) -> NoReturn:
        """Raise what became of the child."""
        code = self._end()
        reasons = {-signal.SIGPROF: "it took too long to read", -signal.SIGKILL: "its reader was killed"}
        died = f"its reader ended with {'signal' if code < 0 else 'code'} {abs(code)}"
        raise InputError(
            f"{self.place} cannot be read ({reasons.get(code, died)}); expected a complete file or folder, "
            "write it again, or export the vectors to .npy or .parquet"
        )


def _raise(error: dict[str, str]) -> NoReturn:
    if error["kind"] == "MissingExtra":
        raise MissingExtra(error["message"].partition(" is not installed")[0], error["extra"])
    raise ERRORS.get(error["kind"], InputError)(error["message"])
