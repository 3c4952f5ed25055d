"""The engine that a user names."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from vestige.engine.job import Engine
from vestige.engine.local_engine import LocalEngine
from vestige.errors import InputError
from vestige.types import Progress, silent

EngineName = Literal["local", "ray"]


@contextmanager
def open_engine(
    name: EngineName = "local",
    address: str | None = None,
    workers: int | None = None,
    progress: Progress = silent,
) -> Iterator[Engine]:
    """The engine of this name; `address` is that of a Ray cluster, and `workers` their number, if it is chosen."""
    if name == "local":
        if address is not None:
            raise InputError(f"the address '{address}' is that of a Ray cluster; add --engine ray, or drop --address")
        yield LocalEngine(workers)
        return
    from vestige.engine.ray_engine import connect

    advance = progress("starting Ray" if address is None else "connecting to Ray", 1)
    with connect(address, workers) as engine:
        advance(1)
        yield engine
