"""The settings of one reproduction."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

from vestige.engine.job import Engine
from vestige.engine.local_engine import LOCAL
from vestige.nn.device import Device
from vestige.types import Progress, silent

Sizes_co = TypeVar("Sizes_co", covariant=True)


@dataclass(frozen=True)
class PaperRun(Generic[Sizes_co]):
    """Sizes of the paper's own type, the seed, and the encoders that the user named instead of stand-ins, by model.

    Finished rows and the vectors of pretrained encoders are stored in `cache`, if there is one. An encoder on another
    machine is queried only with `send`. `changes` are the sizes that the user set. Only rows of these `models` and
    `sections` are measured, all rows if they are empty. What is trained is trained on `device`. The `engine` measures
    the rows.
    """

    sizes: Sizes_co
    seed: int = 0
    encoders: Mapping[str, str] = field(default_factory=dict)
    cache: Path | None = None
    send: bool = False
    progress: Progress = silent
    changes: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    device: Device = "cpu"
    engine: Engine = LOCAL

    def to_send(self) -> "PaperRun[Sizes_co]":
        """The same run for a worker on another machine, which shows nothing."""
        cache = None if self.cache is None else self.cache.absolute()
        return replace(self, cache=cache, progress=silent, engine=LOCAL)
