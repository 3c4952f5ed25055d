"""Encode texts ahead of time, on cores that would be idle, for a cache that is asked for them later."""

import logging
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from threading import Condition, Event, Thread, get_native_id

from vestige.encoders.batching import limit_workers
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.one_at_a_time import can_share
from vestige.engine.threads import count_cores
from vestige.types import Encoder

log = logging.getLogger(__name__)

NICENESS = 10
"""How much work ahead of time yields to all else on the machine: it takes cores that are idle, and few others."""

AT_ONCE = 64
"""Texts between two looks at whether somebody waits for the encoder: a fraction of a second on one core."""


class Turns:
    """One thread at a time; what is done ahead of time comes after all else."""

    def __init__(self) -> None:
        self._change = Condition()
        self._taken, self._waiting = False, 0

    @contextmanager
    def take(self, *, idle: bool = False) -> Iterator[None]:
        """Wait for a turn, and have it; with `idle`, only if nobody else waits for one."""
        with self._change:
            self._waiting += not idle
            self._change.wait_for(lambda: not self._taken and (not idle or not self._waiting))
            self._waiting -= not idle
            self._taken = True
        try:
            yield
        finally:
            with self._change:
                self._taken = False
                self._change.notify_all()


@contextmanager
def encode_ahead(encoder: Encoder | None, groups: Iterable[Sequence[str]]) -> Iterator[None]:
    """Within, the texts of these groups are encoded in the background, the first group first.

    Whoever asks the encoder for a text goes first, so nothing waits for long, and no text is encoded twice. Vectors do
    not depend on who asks. One core is left to the caller. An encoder without a cache, or that cannot be called from
    another thread, is left alone.
    """
    if not isinstance(encoder, CachedEncoder) or not can_share(encoder) or count_cores() < 2:
        yield
        return
    encoder.list_missing([""])  # Reads the cache, in this thread.
    turns, stop = Turns(), Event()
    encoder.turn = turns.take
    worker = Thread(target=_work, args=(encoder, groups, turns, stop), daemon=True)
    worker.start()
    try:
        yield
    finally:
        stop.set()
        worker.join()
        encoder.turn = nullcontext


def _work(encoder: CachedEncoder, groups: Iterable[Sequence[str]], turns: Turns, stop: Event) -> None:
    """Encode until everything is encoded. An error ends it: whoever needs the text meets it again."""
    _yield_to_others()
    try:
        with limit_workers(count_cores() - 1):
            for group in groups:
                _encode_group(encoder, group, turns, stop)
    except Exception as error:
        log.info("encoding ahead ended: %s", error)


def _yield_to_others() -> None:
    """Lower the priority of this thread and of those it starts, where a system has priorities of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, get_native_id(), min(os.getpriority(os.PRIO_PROCESS, 0) + NICENESS, 19))


def _encode_group(encoder: CachedEncoder, texts: Sequence[str], turns: Turns, stop: Event) -> None:
    """Texts of similar length together, since a batch holds texts of one length."""
    waiting = sorted(encoder.list_missing(texts), key=len)
    while waiting and not stop.is_set():
        with turns.take(idle=True):
            if not stop.is_set():
                encoder.encode_now(waiting[:AT_ONCE])
        waiting = waiting[AT_ONCE:]
