"""Independent work on the cores of this machine, each piece in a thread with one core for its matrix products.

Threads that share a product wait for each other after every step. Where another program has a core, they all wait for
it; pieces that share nothing do not.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from vestige.types import Advance

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def count_allowed_cores() -> int:
    """The cores that this process and those that it starts are allowed."""
    from joblib import cpu_count

    return int(cpu_count())


def count_cores() -> int:
    """The cores that this process may use: those it is allowed, or fewer if OMP_NUM_THREADS says so."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    allowed = count_allowed_cores()
    return min(allowed, int(wanted)) if wanted.isdecimal() and int(wanted) else allowed


def count_workers() -> int:
    """Threads for many short pieces of work: two per core.

    A busy machine shares its cores among threads, so that more threads get more of them. On a quiet machine they cost
    nothing.
    """
    return 2 * count_cores()


@contextmanager
def limit_cores(cores: int) -> Iterator[None]:
    """Within, every matrix product of numpy, scipy and torch uses so many cores."""
    import scipy.linalg  # noqa: F401  It brings a library of its own, and those loaded later are not limited.
    from threadpoolctl import threadpool_limits

    torch = sys.modules.get("torch")
    before = torch.get_num_threads() if torch else 1
    with threadpool_limits(cores):
        if torch:
            torch.set_num_threads(cores)
        try:
            yield
        finally:
            if torch:
                torch.set_num_threads(before)


def one_core_each() -> AbstractContextManager[None]:
    """Within, every matrix product of numpy, scipy and torch is computed by the thread that asks for it."""
    return limit_cores(1)


def run_parallel(work: Callable[[_Item], _Result], items: Sequence[_Item], advance: Advance) -> list[_Result]:
    """`work(item)` for each item, on all cores; the last items start first, since they take longest.

    An error stops all that has not started.
    """
    import torch  # noqa: F401  Limits do not apply to libraries that are loaded later, within the work.

    with one_core_each(), ThreadPoolExecutor(count_cores()) as pool:
        futures = [pool.submit(work, item) for item in reversed(items)]
        try:
            for future in as_completed(futures):
                future.result()
                advance(1)
        finally:
            pool.shutdown(cancel_futures=True)
    return [future.result() for future in reversed(futures)]
