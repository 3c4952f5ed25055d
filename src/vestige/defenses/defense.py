"""What every defense is: a scikit-learn transformer that is a fixed map once it is fitted."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin

from vestige.checks import as_vectors
from vestige.defenses.checks import check_count
from vestige.errors import InputError, NotFitted
from vestige.types import Singles, Vectors

ROWS_AT_ONCE = 256

Needs = Literal["vectors", "labels", "pairs"]
Pairs = tuple[npt.ArrayLike, npt.ArrayLike]


class Defense(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Settings in `__init__`, what the owner holds in `fit`, the same map ever after in `transform`.

    `needs` says what `fit` asks for beside vectors: "labels" to hide, or "pairs" of vectors of a text and of the text
    with a word changed. `learned` names the arrays that are all there is to a fitted defense. `strength` names the
    setting that a spec string such as "rounding:2" sets. `version` is raised when settings and arrays of before would
    give other bytes.
    """

    needs: ClassVar[Needs] = "vectors"
    learned: ClassVar[tuple[str, ...]] = ()
    strength: ClassVar[str | None] = None
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
        """Learn from (n, d) vectors; what a defense does not ask for in `needs` may be given and is not looked at.

        Without an `rng` chance comes from the operating system, which is what secrets are to be made of.
        """
        self.check_settings()
        known = np.ascontiguousarray(as_vectors(vectors))
        if not len(known):
            raise InputError("there are no vectors to fit a defense on; give at least one")
        if self.needs == "labels" and labels is None:
            raise InputError(f"{type(self).__name__} hides what labels say and was given none; give one label a vector")
        self._learn(known, labels, np.random.default_rng() if rng is None else rng)
        self.columns_ = known.shape[1]
        self.freeze()
        return self

    def transform(self, vectors: npt.ArrayLike, *, start: int = 0) -> Vectors:
        """The defended vectors; `start` is the row number of the first, where a table comes in parts."""
        if not hasattr(self, "columns_"):
            raise NotFitted(f"{type(self).__name__}.transform was called before fit; call fit(vectors) first")
        check_count("start", start, 0)
        return self._moved(np.ascontiguousarray(as_vectors(vectors, self.columns_, start=start)), start)

    def freeze(self) -> None:
        """Let nothing change what was learned."""
        for name in self.learned:
            getattr(self, name).setflags(write=False)

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""

    def check_learned(self) -> None:
        """Raise ValueError where arrays that came from a file cannot be what was learned."""

    @abstractmethod
    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        """Set every array that `learned` names."""

    @abstractmethod
    def _moved(self, vectors: Vectors, start: int) -> Vectors:
        """The rows, the first of which is row `start` of its table."""


class FixedMap(Defense):
    """A defense without chance: a row goes to the same bytes again, in whatever parts its table comes.

    The last bits of a product depend on its shape and on where in it a row stands. So rows are taken in blocks of one
    shape, and a row has the place in its block that it has in its table.
    """

    def _moved(self, vectors: Vectors, start: int) -> Vectors:
        found = None
        for first, rows in _blocks(len(vectors), start):
            inside = slice(rows.start - first, rows.stop - first)
            part = self._map(_filled(vectors[rows], inside))
            if found is None:
                found = np.empty((len(vectors), part.shape[1]), np.float32)
            found[rows] = part[inside]
        assert found is not None
        return found

    @abstractmethod
    def _map(self, vectors: Vectors) -> Singles:
        """The defended rows of one block."""


def _blocks(size: int, start: int) -> Iterator[tuple[int, slice]]:
    """The first row of every block of the table, before the first one given maybe, and the rows given that it holds.

    There is a block even where there are no rows, to tell how many columns come out.
    """
    before = start % ROWS_AT_ONCE
    for first in range(-before, max(size, 1), ROWS_AT_ONCE):
        yield first, slice(max(first, 0), min(first + ROWS_AT_ONCE, size))


def _filled(rows: Vectors, inside: slice) -> Vectors:
    """A whole block: the rows at their place, and zeros around them."""
    if len(rows) == ROWS_AT_ONCE:
        return rows
    block = np.zeros((ROWS_AT_ONCE, rows.shape[1]), np.float32)
    block[inside] = rows
    return block
