"""Batches of texts of equal length, or packs of texts of similar length.

Without padding, no arithmetic is wasted, and a vector is bit-identical whatever else is in its batch. So an interrupted
run ends with exactly the result of an uninterrupted one.

Batches are computed side by side, each by one thread. Threads that share a batch wait for each other after every
product, and where another program has a core, all of them wait for it.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import groupby

import numpy as np

from vestige.memory import release_memory
from vestige.types import Advance, Vectors

FEWEST_TOKENS = 64
MOST_TOKENS = 2**11
"""Tokens of a batch: larger ones take megabytes per thread."""

RELEASED_AFTER = 4
"""Batches after which freed memory is returned: every length of texts has buffers of its own, which add up."""

Receiver = Callable[[list[int], Vectors], None]
_RECEIVER: ContextVar[Receiver | None] = ContextVar("receiver of batches", default=None)
_MOST_WORKERS: ContextVar[int | None] = ContextVar("most workers", default=None)


@contextmanager
def receive_batches(receive: Receiver) -> Iterator[None]:
    """Hand over the vectors of each batch of this thread as soon as it is computed, with the numbers of its rows.

    An encoder that works otherwise hands over nothing.
    """
    token = _RECEIVER.set(receive)
    try:
        yield
    finally:
        _RECEIVER.reset(token)


@contextmanager
def limit_workers(most: int) -> Iterator[None]:
    """Within, batches of this thread are computed by no more threads than these."""
    token = _MOST_WORKERS.set(most)
    try:
        yield
    finally:
        _MOST_WORKERS.reset(token)


def batch_by_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Row numbers in batches of one length, longest first: at most `size` rows, and about `MOST_TOKENS` tokens."""
    by_length = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    for length, rows in groupby(by_length, key=lengths.__getitem__):
        group = list(rows)
        step = max(1, min(size, MOST_TOKENS // max(length, 1)))
        for start in range(0, len(group), step):
            yield group[start : start + step]


def pack_by_length(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Row numbers in packs of similar lengths, longest first: at most `most` tokens, or one longer text."""
    pack: list[int] = []
    tokens = 0
    for row in sorted(range(len(lengths)), key=lambda row: (-lengths[row], row)):
        if pack and tokens + lengths[row] > most:
            yield pack
            pack, tokens = [], 0
        pack.append(row)
        tokens += lengths[row]
    if pack:
        yield pack


def encode_by_length(
    lengths: Sequence[int],
    size: int,
    encode_rows: Callable[[list[int]], Vectors],
    advance: Advance,
    *,
    workers: int = 1,
) -> Vectors:
    """Every row's vector, in order; `encode_rows` receives rows of one length, in one of `workers` threads.

    A matrix product of very few tokens takes another code path, with other last bits; so a small batch is filled up
    with copies of itself.
    """

    def encode(batch: list[int]) -> Vectors:
        copies = -(-FEWEST_TOKENS // max(len(batch) * lengths[batch[0]], 1))
        return encode_rows(batch * copies)[: len(batch)]

    return encode_batches(list(batch_by_length(lengths, size)), encode, advance, workers=workers)


def encode_batches(
    batches: Sequence[list[int]], encode: Callable[[list[int]], Vectors], advance: Advance, *, workers: int = 1
) -> Vectors:
    """Every row's vector, in order, from batches that have each row once.

    With several workers, each computes its batches on one core.
    """
    vectors: Vectors | None = None
    with _map(workers, _MOST_WORKERS.get()) as run:
        for number, (batch, encoded) in enumerate(zip(batches, run(encode, batches), strict=True), 1):
            if vectors is None:
                vectors = np.empty((sum(map(len, batches)), encoded.shape[1]), dtype=np.float32)
            vectors[batch] = encoded
            if (receive := _RECEIVER.get()) is not None:
                receive(batch, encoded)
            advance(len(batch))
            if number % RELEASED_AFTER == 0:
                release_memory()
    if vectors is None:
        raise ValueError("no rows to encode")
    return vectors


@contextmanager
def _map(workers: int, most: int | None) -> Iterator[Callable[..., Iterator[Vectors]]]:
    """`map`, in this thread or in a pool. A pool drops what it has not begun when it is left early."""
    if workers == 1:
        yield map
        return
    torch = sys.modules.get("torch")
    if torch:
        torch.get_num_threads()  # Fixes the number of this thread, which is else that of the last thread that set one.
    pool = ThreadPoolExecutor(min(workers, most or workers), initializer=_use_one_core)
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)
        release_memory()


def _use_one_core() -> None:
    """Let torch compute the products of this thread within it. Other threads keep their number."""
    torch = sys.modules.get("torch")
    if torch:
        torch.set_num_threads(1)
