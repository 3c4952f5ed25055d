"""How much a command prints while it works: nothing (`--quiet`), its progress, or also its log (`--verbose`)."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from vestige.errors import InputError

LIBRARIES = ("sentence_transformers", "transformers", "chromadb", "gensim", "faiss", "httpx")
"""They log what they load, and some library may have set up a handler for it: only their warnings are shown."""

_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)


def is_quiet() -> bool:
    """Whether progress must not be shown."""
    return _QUIET.get()


@contextmanager
def use_verbosity(*, quiet: bool, verbose: bool) -> Iterator[None]:
    """Apply --quiet and --verbose while a command runs."""
    if quiet and verbose:
        raise InputError("--quiet and --verbose contradict each other; give one of them")
    token = _QUIET.set(quiet)
    for library in LIBRARIES:
        logging.getLogger(library).setLevel(logging.WARNING)
    try:
        with _shown_log() if verbose else _unchanged():
            yield
    finally:
        _QUIET.reset(token)


class _CurrentStandardError(logging.StreamHandler[Any]):
    """Writes to what standard error is now: a progress bar on a terminal replaces it, to print above itself."""

    @property
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None:
        """Ignore the stream that the constructor sets."""


@contextmanager
def _shown_log() -> Iterator[None]:
    """Print the records of the `vestige` loggers from INFO on."""
    log, handler = logging.getLogger("vestige"), _CurrentStandardError()
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s", "%H:%M:%S"))
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


@contextmanager
def _unchanged() -> Iterator[None]:
    yield
