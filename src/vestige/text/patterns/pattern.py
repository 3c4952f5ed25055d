"""A pattern: the rule by which texts of one format are written, and the parts of them that are secret."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from vestige.errors import InputError
from vestige.text.patterns.dates import real_dates
from vestige.text.patterns.field import Field
from vestige.text.patterns.template import Template
from vestige.types import Integers


@dataclass(frozen=True, slots=True)
class Records:
    """Texts, and per secret field the value of each text."""

    texts: list[str]
    secrets: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Fields, the templates they stand in, and which of them are attacked.

    `date` names year, month and day where together they must be a day of the calendar.
    """

    name: str
    summary: str
    templates: tuple[Template, ...]
    fields: tuple[Field, ...]
    secret: tuple[str, ...]
    date: tuple[str, ...] = ()

    @property
    def attacked(self) -> list[Field]:
        """The secret fields, in the order in which they are named secret."""
        return [field for name in self.secret for field in self.fields if field.name == name]

    @property
    def secrets(self) -> dict[str, tuple[str, ...]]:
        """Per secret field, the values it may take; a field of several characters is as many fields."""
        return {name: values for field in self.attacked for name, values in zip(field.names, field.places, strict=True)}

    def generate(self, count: int, rng: np.random.Generator) -> Records:
        """So many texts, each value as likely as the other."""
        drawn = {field.name: field.draw(count, rng) for field in self.fields}
        if self.date:
            dates = self.dates()
            drawn.update(zip(self.date, dates[rng.integers(len(dates), size=count)].T[:, :, None], strict=True))
        spelled = {field.name: field.spelled(drawn[field.name].tolist()) for field in self.fields}
        joined = {field.name: [field.separator.join(values) for values in spelled[field.name]] for field in self.fields}
        chosen = rng.integers(len(self.templates), size=count).tolist()
        texts = [
            self.templates[each].filled({name: values[row] for name, values in joined.items()})
            for row, each in enumerate(chosen)
        ]
        return self._records(texts, [self._secret_of(spelled, row) for row in range(count)])

    def read(self, texts: Sequence[str]) -> Records:
        """The secrets of texts that follow the pattern; a text that does not is refused."""
        fields = {field.name: field for field in self.fields}
        ways = [(template.fields, re.compile(template.expression(fields))) for template in self.templates]
        found = []
        for row, text in enumerate(texts):
            matches = ((names, way.fullmatch(text)) for names, way in ways)
            names, match = next(((names, match) for names, match in matches if match), ((), None))
            if match is None:
                raise InputError(
                    f"text {row} does not follow pattern '{self.name}': expected '{self.templates[0].text}'; "
                    "leave it out, or add a template that it follows"
                )
            groups = iter(match.groups())
            spelled = {name: [tuple(next(groups) for _ in fields[name].places)] for name in names}
            found.append(self._secret_of(spelled, 0))
        return self._records(list(texts), found)

    def dates(self) -> Integers:
        """The days that can be drawn: rows of places in the values of year, month and day."""
        values = {field.name: field.places[0] for field in self.fields}
        year, month, day = ([int(value) for value in values[name]] for name in self.date)
        return real_dates(year, month, day)

    def _secret_of(self, spelled: dict[str, list[tuple[str, ...]]], row: int) -> list[str]:
        return list(chain.from_iterable(spelled[name][row] for name in self.secret))

    def _records(self, texts: list[str], rows: list[list[str]]) -> Records:
        columns = list(zip(*rows, strict=True)) or [()] * len(self.secrets)
        return Records(texts, dict(zip(self.secrets, columns, strict=True)))
