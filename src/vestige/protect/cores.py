"""Work on every core at once, what comes of it in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from joblib import cpu_count
from threadpoolctl import threadpool_limits

_Given = TypeVar("_Given")
_Found = TypeVar("_Found")


def on_every_core(work: Callable[[_Given], _Found], given: Iterable[_Given]) -> Iterator[_Found]:
    """What `work` gives, in the order of what it was given, a few ahead of who asks.

    It is done in threads, so most of it should be in libraries that let others go on. Products of matrices take one
    core each meanwhile.
    """
    cores = cpu_count()
    ahead: deque[Future[_Found]] = deque()
    with threadpool_limits(limits=1), ThreadPoolExecutor(max_workers=cores) as pool:
        for each in given:
            ahead.append(pool.submit(work, each))
            while ahead and (len(ahead) > cores or ahead[0].done()):
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
