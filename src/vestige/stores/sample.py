"""What is read from a store: its description, and a sample of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vestige.stores.columns import Columns
from vestige.types import Vectors


@dataclass(frozen=True, slots=True)
class Description:
    """What a store holds, as far as it is known without reading all of it.

    `form` is how the numbers are stored ("float32", "int8", "binary", "PQ16x8"). `guessed` lists what the caller left
    open and the store found. `exact` is False where `rows` is the database's own estimate.
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
    """Rows drawn uniformly from a store: float32 vectors as the store scores with them, and their other columns.

    `texts` is None where the store has none. `bytes_read` is what this sample cost, None where it cannot be counted.
    `clustered` means that neighbouring rows were drawn together, because the store can only be read in large pieces.
    `numbers` are the row numbers of these rows in a separate file of texts; None where the store defines none.
    `payload` has the nested columns, unchanged.
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

    @classmethod
    def join(cls, samples: "Sequence[Sample]") -> "Sample":
        """The rows of several samples of one store, one after the other."""
        first = samples[0]
        return replace(
            first,
            vectors=np.concatenate([each.vectors for each in samples]),
            ids=[key for each in samples for key in each.ids],
            texts=None if first.texts is None else [text for each in samples for text in each.texts or ()],
            attributes={name: [v for each in samples for v in each.attributes[name]] for name in first.attributes},
            payload={name: [v for each in samples for v in each.payload[name]] for name in first.payload},
            numbers=None
            if any(each.numbers is None for each in samples)
            else [number for each in samples for number in each.numbers or ()],
        )

    def reorder(self, order: Sequence[int]) -> "Sample":
        """These rows in another order; itself if they have it already, since a copy takes as much memory."""
        if list(order) == list(range(len(self))):
            return self
        return replace(
            self,
            vectors=self.vectors[list(order)],
            ids=[self.ids[row] for row in order],
            texts=None if self.texts is None else [self.texts[row] for row in order],
            attributes={name: [values[row] for row in order] for name, values in self.attributes.items()},
            payload={name: [values[row] for row in order] for name, values in self.payload.items()},
            numbers=None if self.numbers is None else [self.numbers[row] for row in order],
        )
