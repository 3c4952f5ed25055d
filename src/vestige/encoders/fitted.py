"""Encoders that learn from text: the recipe, what it gives, and how that is put into words and numbers."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from vestige.text.corpus import Corpus
from vestige.types import Progress, Vectors, silent


@dataclass(frozen=True)
class State:
    """All there is to a fitted encoder: settings that JSON can hold, and tensors."""

    settings: dict[str, Any]
    tensors: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    def digest(self) -> str:
        """The same state has the same digest."""
        digest = hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode("utf-8", "surrogatepass"))
        for name in sorted(self.tensors):
            tensor = np.ascontiguousarray(self.tensors[name])
            digest.update(f"\0{name} {tensor.dtype} {tensor.shape}\0".encode())
            digest.update(tensor.tobytes())
        return digest.hexdigest()


class Fitted(ABC):
    """An encoder that a recipe made from text. Its state says everything; nothing of it is ever pickled."""

    family: str

    @property
    def name(self) -> str:
        """The family it belongs to."""
        return self.family

    @cached_property
    def identity(self) -> str:
        """A digest of the whole state."""
        return self.state().digest()

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Columns of every vector."""

    @abstractmethod
    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""

    @abstractmethod
    def state(self) -> State:
        """What `from_state` needs to make this encoder again."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: State) -> Self:
        """The encoder that had this state."""


class Recipe(Protocol):
    """Settings of an encoder that learns: a frozen dataclass, so that its `repr` tells all of it."""

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> Fitted:
        """Learn from the rows of a corpus, in order; rows of one document stand together."""
