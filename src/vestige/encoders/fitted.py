"""Encoders that learn from text: the recipe, the fitted encoder, and an encoder that is fitted on first use."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from vestige.encoders.model_folder import list_versions
from vestige.text.corpus import Corpus
from vestige.types import Progress, Vectors, WhiteBox, silent

LIBRARIES = ("vestige", "numpy", "scipy", "scikit-learn", "torch", "gensim")


@dataclass(frozen=True)
class EncoderState:
    """Everything that defines a fitted encoder: settings that JSON can hold, and tensors."""

    settings: dict[str, Any]
    tensors: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    def digest(self) -> str:
        """A digest of the settings and of every tensor."""
        digest = hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode("utf-8", "surrogatepass"))
        for name in sorted(self.tensors):
            tensor = np.ascontiguousarray(self.tensors[name])
            digest.update(f"\0{name} {tensor.dtype} {tensor.shape}\0".encode())
            digest.update(tensor.tobytes())
        return digest.hexdigest()


class FittedEncoder(ABC):
    """An encoder that a recipe fitted to text. Its state defines it completely; nothing is ever pickled."""

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
        """One row per text, in the order given."""

    @abstractmethod
    def state(self) -> EncoderState:
        """Everything that `from_state` needs to rebuild this encoder."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: EncoderState) -> Self:
        """Rebuild the encoder from its state."""


class EncoderRecipe(Protocol):
    """Settings of an encoder that learns: a frozen dataclass, whose `repr` is part of the identity."""

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> FittedEncoder:
        """Learn from the rows of a corpus, in order; the rows of one document are consecutive."""


class LearnedEncoder:
    """A recipe and a corpus as an encoder, fitted when it is first used.

    The same seed gives the same bytes, so the identity is known before fitting. With every vector in a cache it is
    never fitted.
    """

    def __init__(self, name: str, recipe: EncoderRecipe, corpus: Corpus, *, seed: int = 0) -> None:
        self.name = name
        self.recipe = recipe
        self.corpus = corpus
        self.seed = seed
        self._fitted: FittedEncoder | None = None
        digest = hashlib.sha256(repr((recipe, seed, list_versions(LIBRARIES))).encode())
        for row in zip(corpus.documents, corpus.texts, strict=True):
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
        for name in getattr(recipe, "columns", ()):
            digest.update(repr((name, corpus.attributes.get(name))).encode("utf-8", "surrogatepass"))
        self.identity = digest.hexdigest()

    def fit(self, progress: Progress = silent) -> FittedEncoder:
        """The encoder that the recipe fits to the corpus, once."""
        if self._fitted is None:
            self._fitted = self.recipe.fit(self.corpus, rng=np.random.default_rng(self.seed), progress=progress)
        return self._fitted

    @property
    def dimension(self) -> int:
        """Columns of every vector; fits the encoder."""
        return self.fit().dimension

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given."""
        return self.fit(progress).encode(texts, progress=progress)

    def white_box(self) -> WhiteBox:
        """The white box of the fitted encoder."""
        from vestige.encoders.white_box import white_box

        return white_box(self.fit())
