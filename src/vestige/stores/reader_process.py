"""The child process that reads a table for `isolated`: it opens the table, answers requests, and ends with its parent.

The two talk through a socket. Requests are lines of JSON. Answers are frames of one byte for the kind, eight for the
length, and JSON or an Arrow stream. Nothing is pickled.
"""

import base64
import json
import logging
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import VestigeError
from vestige.memory import use_limit
from vestige.stores.table import VectorTable

OPENED, TABLE, END, FAILED, LOGGED = b"O", b"T", b".", b"E", b"L"
"""The kinds of answers."""


def serve() -> None:
    """Open a table and answer requests until the parent closes the socket."""
    with socket.socket(fileno=int(sys.argv[1])) as channel, channel.makefile("rb") as requests:
        server = _Server(channel)
        handler = _Forwarder(server.send)
        logging.getLogger("vestige").addHandler(handler)
        logging.getLogger("vestige").setLevel(logging.INFO)
        with suppress(OSError):
            for line in requests:
                server.answer(json.loads(line))
        with suppress(Exception):
            server.close()
    os._exit(0)  # Threads of a library that does not end must not keep the process.


class _Server:
    """The child's side: a table, and the socket to the parent."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._table: VectorTable | None = None
        self._place, self._scratch = "", ""
        self._running: dict[int, Iterator[Any]] = {}

    def send(self, kind: bytes, content: bytes) -> None:
        """Send a frame."""
        self._channel.sendall(kind + len(content).to_bytes(8, "little"))
        self._channel.sendall(content)

    def close(self) -> None:
        """Close the table, and delete the copy that it may have made."""
        table, self._table = self._table, None
        self._running.clear()
        try:
            if table is not None:
                table.close()
        finally:
            if self._scratch:
                shutil.rmtree(self._scratch, ignore_errors=True)

    def answer(self, request: dict[str, Any]) -> None:
        """Answer one request; every error becomes a frame."""
        self._seconds = request["seconds"]
        try:
            self._restart_clock()
            self._open(request) if "open" in request else self._read(request)
        except OSError as error:
            if isinstance(error, BrokenPipeError | ConnectionResetError):
                raise
            self._send_error(error)
        except BaseException as error:
            self._send_error(error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _restart_clock(self) -> None:
        """Die after so many seconds of computing without an answer."""
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def _open(self, request: dict[str, Any]) -> None:
        module, _, name = request["open"].partition(":")
        first, *rest = request["arguments"]
        self._place = str(first)
        self._scratch = tempfile.tempdir = request["scratch"]
        use_limit(request["memory"])
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = request["memory"] if hard == resource.RLIM_INFINITY else min(request["memory"], hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
        opener: Callable[..., VectorTable] = getattr(import_module(module), name)
        self._table = table = opener(first, *rest) if rest else opener(Path(first))
        described = {
            "place": table.place,
            "rows": int(table.rows),
            "exact": table.exact,
            "guessed": list(table.guessed),
            "row_numbers": table.row_numbers,
            "bytes_read": table.bytes_read,
            "forms": {name: table.form(name) for name in table.schema.names},
            "schema": base64.b64encode(table.schema.serialize().to_pybytes()).decode(),
        }
        self.send(OPENED, json.dumps(described).encode())

    def _read(self, request: dict[str, Any]) -> None:
        if "close" in request:
            self.close()
            self.send(END, b"null")
            return
        assert self._table is not None
        if "take" in request:
            self._send_table(self._table.take(np.array(request["take"], np.int64), request["names"]))
            self._send_end()
        elif "start" in request:
            self._running[request["start"]] = iter(self._table.batches(request["size"], request["names"]))
        elif "stop" in request:
            self._running.pop(request["stop"], None)
        else:
            rows = next(self._running[request["next"]], None)
            self._send_end() if rows is None else self._send_table(rows)

    def _send_end(self) -> None:
        assert self._table is not None
        self.send(END, json.dumps(self._table.bytes_read).encode())

    def _send_table(self, rows: Any) -> None:
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, rows.schema) as writer:
            writer.write(rows)
        self.send(TABLE, sink.getvalue().to_pybytes())

    def _send_error(self, error: BaseException) -> None:
        described = {"kind": type(error).__name__, "message": str(error), "extra": getattr(error, "extra", "")}
        if not isinstance(error, VestigeError):
            place = self._place if self._table is None else self._table.place
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            first = what.strip().partition("\n")[0][:300]
            described["message"] = (
                f"{place} cannot be read ({first}); expected a complete file or folder, write it again, "
                "or export the vectors to .npy or .parquet"
            )
        self.send(FAILED, json.dumps(described).encode())


class _Forwarder(logging.Handler):
    """Sends log records to the parent."""

    def __init__(self, send: Callable[[bytes, bytes], None]) -> None:
        super().__init__()
        self._send_frame = send

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record."""
        with suppress(OSError):
            self._send_frame(LOGGED, json.dumps([record.levelno, record.getMessage()]).encode())
