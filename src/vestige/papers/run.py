"""What a reproduction is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

from vestige.types import Progress, silent

Sizes_co = TypeVar("Sizes_co", covariant=True)


@dataclass(frozen=True)
class Run(Generic[Sizes_co]):
    """Sizes of the paper's own kind, the seed, and encoders named instead of the stand-ins.

    Finished rows and the vectors of pretrained encoders are kept in `cache`, where there is one. Without leave to
    `send`, an encoder on another machine is asked nothing.
    """

    sizes: Sizes_co
    seed: int = 0
    encoders: Mapping[str, str] = field(default_factory=dict)
    cache: Path | None = None
    send: bool = False
    progress: Progress = silent

    def watched(self, progress: Progress) -> "Run[Sizes_co]":
        """The same, with someone looking on."""
        return replace(self, progress=progress)
