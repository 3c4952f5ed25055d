"""Every secret that a pattern allows, by number: a space to rank one secret in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from vestige.errors import InputError
from vestige.text.patterns.pattern import Pattern
from vestige.text.patterns.template import Template
from vestige.types import Integers

MOST = 2**62


@dataclass(frozen=True, slots=True)
class SecretSpace:
    """What may stand in a template from its first secret field to its last, and the text on either side of it."""

    before: Template
    inside: Template
    after: Template
    pattern: Pattern

    @classmethod
    def of(cls, pattern: Pattern) -> "SecretSpace":
        """Part the first template of the pattern; no open field may stand between two secret ones."""
        parts = pattern.templates[0].parts
        places = [place for place, (_, name) in enumerate(parts) if name in pattern.secret]
        first, last = places[0], places[-1]
        opened = [name for _, name in parts[first : last + 1] if name not in pattern.secret]
        if opened:
            raise InputError(
                f"pattern '{pattern.name}': field '{opened[0]}' stands between secret ones and is not secret; "
                "name it in secret = [...], or write it before or after them"
            )
        literal, name = parts[first]
        before = Template("", (*parts[:first], (literal, None)))
        inside = Template("", (("", name), *parts[first + 1 : last + 1]))
        space = cls(before, inside, Template("", parts[last + 1 :]), pattern)
        if space.size > MOST:
            raise InputError(f"pattern '{pattern.name}' allows {space.size:.1e} secrets; expected {MOST:.1e} at most")
        return space

    @property
    def size(self) -> int:
        """How many secrets there are; where a date is secret, days of the calendar only."""
        return prod(self._radices)

    def secrets(self, numbers: Iterable[int]) -> list[str]:
        """The secrets of these numbers, counted from 0."""
        radices, days = self._radices, self._days
        return [self.inside.filled(self._values(_digits(int(number), radices), days)) for number in numbers]

    def drawn(self, count: int, rng: np.random.Generator) -> list[str]:
        """So many secrets, no two the same, each as likely as the other."""
        if not 0 <= count <= self.size:
            raise InputError(f"pattern '{self.pattern.name}' allows {self.size} secrets; {count} were asked for")
        return self.secrets(rng.choice(self.size, size=count, replace=False))

    @property
    def _days(self) -> Integers | None:
        """The days of the calendar where the whole date is secret; a year, month and day are then one number."""
        return (
            self.pattern.dates() if self.pattern.date and set(self.pattern.date) <= set(self.pattern.secret) else None
        )

    @property
    def _radices(self) -> list[int]:
        days = self._days
        in_date = self.pattern.date if days is not None else ()
        plain = [field for field in self.pattern.attacked if field.name not in in_date]
        return [*([] if days is None else [len(days)]), *(len(values) for field in plain for values in field.places)]

    def _values(self, digits: Sequence[int], days: Integers | None) -> dict[str, str]:
        rest = iter(digits)
        date = {} if days is None else dict(zip(self.pattern.date, days[next(rest)].tolist(), strict=True))
        values = {}
        for field in self.pattern.attacked:
            row = [date[field.name]] if field.name in date else [next(rest) for _ in field.places]
            values[field.name] = field.separator.join(field.spelled([row])[0])
        return values


def _digits(number: int, radices: Sequence[int]) -> list[int]:
    """A number in mixed radix, the first digit counting most."""
    found = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        found.append(digit)
    return found[::-1]
