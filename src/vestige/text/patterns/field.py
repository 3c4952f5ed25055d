"""A field of a pattern: places in a row, each of which takes one of its values."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.types import Integers


@dataclass(frozen=True, slots=True)
class Field:
    """`places` holds, per place, the values it may take. A number or a choice has one place, a code one a character.

    Between two places stands the `separator`.
    """

    name: str
    places: tuple[tuple[str, ...], ...]
    separator: str = ""

    @property
    def names(self) -> list[str]:
        """What each place is called: `year`, or `sequence[1]`, `sequence[2]`."""
        if len(self.places) == 1:
            return [self.name]
        return [f"{self.name}[{number}]" for number in range(1, len(self.places) + 1)]

    def draw(self, count: int, rng: np.random.Generator) -> Integers:
        """A row a text, a column a place: which value stands there, each as likely as the other."""
        return rng.integers([len(values) for values in self.places], size=(count, len(self.places)))

    def spelled(self, drawn: Iterable[Sequence[int]]) -> list[tuple[str, ...]]:
        """The values behind each row of numbers."""
        return [tuple(values[each] for values, each in zip(self.places, row, strict=True)) for row in drawn]

    @property
    def expression(self) -> str:
        """A regular expression with a group a place."""
        return re.escape(self.separator).join(f"({_any_of(values)})" for values in self.places)


def _any_of(values: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
