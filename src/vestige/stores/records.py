"""What a store says of itself, and what is read out of it."""

from dataclasses import dataclass, field, replace
from typing import Any

from vestige.types import Vectors


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column holds what. None asks the store to find it; attributes are then all other plain columns.

    `payload` is found with them: columns of mappings and lists that have strings inside.
    """

    vectors: str | None = None
    ids: str | None = None
    texts: str | None = None
    attributes: tuple[str, ...] | None = None
    payload: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """What lies in a store, told without reading it through.

    `form` is how the numbers are stored ("float32", "int8", "binary", "PQ16x8"); `guessed` names what the caller left
    open and was found; `exact` is False where `rows` is the database's own estimate.
    """

    place: str
    rows: int
    exact: bool
    dimension: int
    form: str
    columns: Columns
    guessed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows drawn from all over a store: float32 vectors as the store scores with them, and what came with them.

    `texts` is None where the store has none. `bytes_read` is what this sample cost, None where it cannot be counted.
    `clustered` says that neighbours came together, since the store can only be read in large pieces. `numbers` are the
    rows of a separate file of texts that belong to these; None where the store keeps no such order. `payload` has the
    columns that are nested, as they are.
    """

    vectors: Vectors
    ids: list[str]
    texts: list[str] | None
    attributes: dict[str, list[Any]]
    bytes_read: int | None
    clustered: bool = False
    numbers: list[int] | None = None
    payload: dict[str, list[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.vectors)

    def by_id(self) -> "Sample":
        """The same rows in the order of their ids, where all of these are numbers: stores list them as they like."""
        if not all(each.isdecimal() for each in self.ids):
            return self
        order = sorted(range(len(self)), key=lambda row: int(self.ids[row]))
        return replace(
            self,
            vectors=self.vectors[order],
            ids=[self.ids[row] for row in order],
            texts=None if self.texts is None else [self.texts[row] for row in order],
            attributes={name: [values[row] for row in order] for name, values in self.attributes.items()},
            payload={name: [values[row] for row in order] for name, values in self.payload.items()},
            numbers=None if self.numbers is None else [self.numbers[row] for row in order],
        )
