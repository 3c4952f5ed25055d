"""Start the server: on this machine only, on a free port, with a token that is made for this start."""

import logging
import socket
from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_urlsafe
from threading import Thread
from typing import TYPE_CHECKING

from vestige.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from starlette.applications import Starlette

HOST = "127.0.0.1"
SHUTDOWN_S = 2
"""Seconds that open streams have to end when the server is stopped."""


@dataclass(frozen=True)
class Address:
    """Where the server is, and what a browser needs to be let in."""

    port: int
    token: str
    ticket: str

    @property
    def url(self) -> str:
        """The address with the token, for the terminal."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    @property
    def url_once(self) -> str:
        """The address with a ticket, for the command that opens the browser, which other users may see."""
        return f"http://{HOST}:{self.port}/?token={self.ticket}"


def check_extra() -> None:
    """Raise, with the command that installs them, if starlette or uvicorn is missing."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtra(error.name or "starlette", "view") from error


def serve(app: "Starlette", announce: Callable[[Address], None], *, port: int = 0) -> None:
    """Serve until the process is stopped; `announce` is called once the server accepts requests."""
    import uvicorn

    from vestige.view.security import Guard

    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(listening, port)
        address = Address(listening.getsockname()[1], token_urlsafe(24), token_urlsafe(24))
        guarded = Guard(app, address.token, address.port, {address.ticket})
        config = uvicorn.Config(
            guarded,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=SHUTDOWN_S,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_fault)
        server = uvicorn.Server(config)
        Thread(target=_announce_start, args=(server, announce, address), daemon=True).start()
        server.run(sockets=[listening])


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a message of the server is to be shown: that an answer was given up when it stopped is no fault."""
    return not (record.exc_info and isinstance(record.exc_info[1], CancelledError))


def _bind(listening: socket.socket, port: int) -> None:
    try:
        listening.bind((HOST, port))
    except OSError as error:
        remedy = "choose another with --port, or leave it out for a free one"
        raise InputError(f"port {port} cannot be used ({error.strerror}); {remedy}") from error


def _announce_start(server: "object", announce: Callable[[Address], None], address: Address) -> None:
    """Wait for the server, then announce it."""
    from time import sleep

    while not getattr(server, "started", False):
        sleep(0.02)
    announce(address)
