"""The one thing that a reader of a new kind of store has to be."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
"""Where rows lie: their numbers, or whatever else a table finds them by."""


class Table(ABC):
    """Rows with named columns, found by their places and given as Arrow tables. Reading changes nothing.

    `schema` has the columns; `rows` counts them, and is an estimate where `exact` is False. `guessed` names what the
    caller left open and was found. `bytes_read` grows with what is read, and is None where the store does not tell.
    `numbered` is what numbers the rows as their maker did: their places in a file, their ids in a database.
    """

    place: str
    rows: int
    schema: Any
    exact: bool = True
    guessed: tuple[str, ...] = ()
    bytes_read: int | None = 0
    numbered: Literal["place", "id"] = "place"

    @abstractmethod
    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows at these places, in order, as an Arrow table of these columns."""

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Places, bool]:
        """The places of `n` rows, uniform over the whole table, and whether neighbours were drawn together."""
        return drawn(self.rows, n, rng), False

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """All rows in order, `size` at a time."""
        for start in range(0, self.rows, size):
            yield self.take(np.arange(start, min(start + size, self.rows)), names)

    def form(self, name: str) -> str | None:  # noqa: ARG002
        """How the vectors of a column are stored; None where the type of the column says it."""
        return None

    def close(self) -> None:  # noqa: B027
        """Let go of files and connections."""


def drawn(rows: int, n: int, rng: np.random.Generator) -> Places:
    """`n` of so many row numbers, or all where there are no more, in ascending order."""
    if n >= rows:
        return np.arange(rows)
    return np.sort(rng.choice(rows, n, replace=False, shuffle=False))
