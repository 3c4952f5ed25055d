"""What every defense is: a scikit-learn transformer that declares itself and is a fixed map once it is fitted."""

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin

from vestige.checks import as_vectors, check_count
from vestige.errors import InputError, NotFitted
from vestige.types import Singles, Vectors
from vestige.vector_codes import Codes, VectorCode

ROWS_AT_ONCE = 256

Needs = Literal["vectors", "labels", "pairs"]
"""What `fit` requires: vectors alone, labels to hide, or pairs of vectors, of a text and of the text with a word
changed."""

Queries = Literal["same map", "without noise", "unchanged", "another map"]
"""How a search query is treated so that it finds the rows of a defended store: by the same map, by the same map without
the noise, not at all, or by a map of its own. Noise hides the rows of a store; in a query it would blur the search."""

Pairs = tuple[npt.ArrayLike, npt.ArrayLike]
"""Vectors of texts and, row by row, of the same texts with a word changed."""


def _no_strengths(_dimension: int) -> Sequence[int]:
    return ()


@dataclass(frozen=True, slots=True)
class DefenseInfo:
    """The declaration of a defense, as its class attribute `info`.

    `summary` is the line that `vestige list` prints; it begins with the spec where that takes a strength. `paper` cites
    the publication and the section. `strength` names the setting that the bare value of a spec sets ("rounding:2").
    `strengths` returns the strengths that a sweep tries for vectors of a dimension, from mild to strong; without any, a
    sweep tries the default settings. `recipes` are specs of other published or common variants. `library` is what `fit`
    imports beyond the base installation, and `extra` installs it; a fitted defense works without it. `queries` is how
    `transform_queries` treats a search query. `secret` names what a saved defense must not reveal, such as "the seed of
    its noise"; it is empty if the folder of a fitted defense holds no secret. `swept` is False if a sweep without list
    leaves the defense out, because it takes long or differs from another in nothing that a sweep measures.
    `explanation` is a plain sentence for the reader of a page who knows no defense.
    """

    name: str
    summary: str
    paper: str = ""
    needs: Needs = "vectors"
    strength: str | None = None
    strengths: Callable[[int], Sequence[int]] = _no_strengths
    recipes: tuple[str, ...] = ()
    library: str | None = None
    extra: str = ""
    queries: Queries = "same map"
    secret: str = ""
    swept: bool = True
    explanation: str = ""


class Defense(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Settings in `__init__`, what the owner holds in `fit`, the same map ever after in `transform`.

    `learned` names the arrays that make up a fitted defense; nothing else is saved. Raise `version` when the settings
    and arrays of the previous one would give other bytes.
    """

    info: ClassVar[DefenseInfo]
    learned: ClassVar[tuple[str, ...]] = ()
    version: ClassVar[int] = 1
    columns_: int

    def fit(
        self,
        vectors: npt.ArrayLike,
        labels: npt.ArrayLike | None = None,
        *,
        pairs: Pairs | None = None,  # noqa: ARG002
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Learn from (n, d) vectors; labels and pairs that the defense does not need are ignored.

        Without an `rng` the random numbers come from the operating system, as a secret requires.
        """
        self.check_settings()
        known = np.ascontiguousarray(as_vectors(vectors))
        if not len(known):
            raise InputError("there are no vectors to fit a defense on; give at least one")
        if self.info.needs == "labels" and labels is None:
            raise InputError(f"{type(self).__name__} hides labels and was given none; give one label per vector")
        self._fit(known, labels, np.random.default_rng() if rng is None else rng)
        self.columns_ = known.shape[1]
        self.freeze()
        return self

    def transform(self, vectors: npt.ArrayLike, *, start: int = 0) -> Vectors:
        """The defended vectors; `start` is the row number of the first one, for a table that arrives in parts."""
        return self._transform(self._check(vectors, start, "transform"), start)

    def transform_queries(self, vectors: npt.ArrayLike, *, start: int = 0) -> Vectors:
        """The vectors of search queries, treated so that they find the rows of a store that `transform` defended.

        `info.queries` declares the treatment. Queries are not hidden by it: a query without noise reveals what the
        undefended one does.
        """
        queries = self._check(vectors, start, "transform_queries")
        if self.info.queries == "same map":
            return self._transform(queries, start)
        return queries.copy() if self.info.queries == "unchanged" else self._transform_without_noise(queries, start)

    def guarantee(self) -> str:
        """What holds with these settings; without any that matter, the first sentence of the docstring's guarantee."""
        written = inspect.getdoc(type(self)) or ""
        match = re.search(r"Guarantee: (.*?)(?:\.\s|\.?$|\nShapes)", written, re.DOTALL)
        return " ".join(match[1].split()) if match else "none stated"

    def code(self) -> VectorCode | None:
        """The code in which defended vectors can be stored without loss; None if there is none smaller than float32."""
        return None

    def transform_compact(self, vectors: npt.ArrayLike, *, start: int = 0) -> Codes:
        """The defended vectors as codes: `code().decode` of them gives the bytes of `transform`."""
        known = self._check(vectors, start, "transform_compact")
        code = self.code()
        if code is None:
            raise InputError(
                f"defense '{self.info.name}' has no compact format; expected one that quantises, such as binary or "
                "int8; write its vectors as float"
            )
        return code.encode(known)

    def freeze(self) -> None:
        """Make the learned arrays read-only."""
        for name in self.learned:
            getattr(self, name).setflags(write=False)

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""

    def check_learned(self) -> None:
        """Raise ValueError if arrays that were read from a file cannot have been learned."""

    def _check(self, vectors: npt.ArrayLike, start: int, method: str) -> Vectors:
        if not hasattr(self, "columns_"):
            raise NotFitted(f"{type(self).__name__}.{method} was called before fit; call fit(vectors) first")
        check_count("start", start, 0)
        return np.ascontiguousarray(as_vectors(vectors, self.columns_, start=start))

    @abstractmethod
    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        """Set every array that `learned` names."""

    @abstractmethod
    def _transform(self, vectors: Vectors, start: int) -> Vectors:
        """The defended rows; the first is row `start` of its table."""

    def _transform_without_noise(self, vectors: Vectors, start: int) -> Vectors:
        """The rows as they are defended but for the noise, where `info.queries` says so."""
        raise NotImplementedError


class FixedMap(Defense):
    """A deterministic defense: the same row gives the same bytes, however its table is cut into parts.

    The last bits of a matrix product depend on its shape and on the position of a row in it. So rows are transformed in
    blocks of one shape, and the position of a row in its block follows from its position in its table.
    """

    def _transform(self, vectors: Vectors, start: int) -> Vectors:
        defended = None
        for first, rows in block_rows(len(vectors), start):
            inside = slice(rows.start - first, rows.stop - first)
            block = self._transform_block(pad_block(vectors[rows], inside))
            if defended is None:
                defended = np.empty((len(vectors), block.shape[1]), np.float32)
            defended[rows] = block[inside]
        assert defended is not None
        return defended

    @abstractmethod
    def _transform_block(self, vectors: Vectors) -> Singles:
        """The defended rows of one block."""


def block_rows(size: int, start: int) -> Iterator[tuple[int, slice]]:
    """The position of the first row of each block, which may be negative, and the slice of the rows in that block.

    There is one block even if there are no rows, since it shows the number of output columns.
    """
    before = start % ROWS_AT_ONCE
    for first in range(-before, max(size, 1), ROWS_AT_ONCE):
        yield first, slice(max(first, 0), min(first + ROWS_AT_ONCE, size))


def pad_block(rows: Vectors, inside: slice) -> Vectors:
    """A whole block: the rows at their position, zeros around them."""
    if len(rows) == ROWS_AT_ONCE:
        return rows
    block = np.zeros((ROWS_AT_ONCE, rows.shape[1]), np.float32)
    block[inside] = rows
    return block
