"""A pattern: fields in a template, some of them secret; it generates such texts and reads secrets from them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from string import Formatter

import numpy as np

from vestige.errors import InputError
from vestige.types import Integers

_DAYS_IN_MONTH = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a text that varies. `places` holds, for each place of the field, the values that are possible there.

    A number or a choice has one place, a code has one place per character. The `separator` is between places.
    """

    name: str
    places: tuple[tuple[str, ...], ...]
    separator: str = ""

    @property
    def names(self) -> list[str]:
        """The name of each place: `year`, or `sequence[1]`, `sequence[2]`."""
        if len(self.places) == 1:
            return [self.name]
        return [f"{self.name}[{number}]" for number in range(1, len(self.places) + 1)]

    def draw(self, count: int, rng: np.random.Generator) -> Integers:
        """Draw the number of the value at each place uniformly: one row per text, one column per place."""
        return rng.integers([len(values) for values in self.places], size=(count, len(self.places)))

    def spell(self, drawn: Iterable[Sequence[int]]) -> list[tuple[str, ...]]:
        """The values with these numbers, row by row."""
        return [tuple(values[number] for values, number in zip(self.places, row, strict=True)) for row in drawn]

    def spell_columns(self, drawn: Integers) -> list[list[str]]:
        """The values with these numbers, place by place."""
        columns = zip(self.places, drawn.T.tolist(), strict=True)
        return [[values[number] for number in column] for values, column in columns]

    def join(self, spelled: Sequence[list[str]]) -> list[str]:
        """The text of the field in each row, given the values of each place."""
        return spelled[0] if len(spelled) == 1 else list(map(self.separator.join, zip(*spelled, strict=True)))

    @property
    def expression(self) -> str:
        """A regular expression with one group per place."""
        return re.escape(self.separator).join(f"({_match_any(values)})" for values in self.places)


@dataclass(frozen=True, slots=True)
class Template:
    """Text with fields in it: `my number is {id}`.

    `parts` are literal texts, each with the name of the field that follows it; the last has None.
    """

    text: str
    parts: tuple[tuple[str, str | None], ...]

    @classmethod
    def parse(cls, text: str) -> "Template":
        """Split the text at its fields; `{{` and `}}` are literal braces. Raises ValueError for unbalanced braces."""
        parts = []
        for literal, name, form, conversion in Formatter().parse(text):
            if form or conversion:
                raise ValueError(f"'{{{name}}}' carries a format")
            parts.append((literal, name))
        return cls(text, tuple(parts))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields in order."""
        return tuple(name for _, name in self.parts if name is not None)

    def fill(self, values: Mapping[str, str]) -> str:
        """The text with a value for each field."""
        return "".join(literal + ("" if name is None else values[name]) for literal, name in self.parts)

    def fill_rows(self, values: Mapping[str, Sequence[str]], rows: Sequence[int]) -> list[str]:
        """The texts of these rows, given the values of each field; much faster than one by one."""
        columns: list[Iterable[str]] = []
        for literal, name in self.parts:
            columns.append(repeat(literal, len(rows)))
            if name is not None:
                columns.append([values[name][row] for row in rows])
        return list(map("".join, zip(*columns, strict=True)))

    def expression(self, fields: Mapping[str, Field]) -> str:
        """A regular expression that matches such texts, with one group per place of a field."""
        return "".join(
            re.escape(literal) + ("" if name is None else fields[name].expression) for literal, name in self.parts
        )


@dataclass(frozen=True, slots=True)
class Records:
    """Texts, and for each secret field the value in every text."""

    texts: list[str]
    secrets: dict[str, tuple[str, ...]]

    def take(self, rows: Sequence[int]) -> "Records":
        """These records, in this order."""
        secrets = {name: tuple(values[row] for row in rows) for name, values in self.secrets.items()}
        return Records([self.texts[row] for row in rows], secrets)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Fields, the templates they are in, and which of them are secret and thus attacked.

    `date` names the fields for year, month and day if together they must be a date of the calendar.
    """

    name: str
    summary: str
    templates: tuple[Template, ...]
    fields: tuple[Field, ...]
    secret: tuple[str, ...]
    date: tuple[str, ...] = ()

    @property
    def attacked(self) -> list[Field]:
        """The secret fields, in the order of `secret`."""
        return [field for name in self.secret for field in self.fields if field.name == name]

    @property
    def secrets(self) -> dict[str, tuple[str, ...]]:
        """The possible values of each secret field; a field with several places counts as several fields."""
        return {name: values for field in self.attacked for name, values in zip(field.names, field.places, strict=True)}

    @property
    def chances(self) -> dict[str, float]:
        """For each secret field, the accuracy of the best guess without a vector; the 31st is rarer than the 1st."""
        even = {name: 1 / len(values) for name, values in self.secrets.items()}
        dates = self.dates() if self.date else np.empty((0, 0), np.int64)
        for column, name in enumerate(self.date):
            if name in even:
                even[name] = float(np.bincount(dates[:, column]).max() / len(dates))
        return even

    @property
    def whole_chance(self) -> float:
        """The probability that one guess at all secret fields together is right."""
        if set(self.date) <= set(self.secret) and self.date:
            rest = [chance for name, chance in self.chances.items() if name not in self.date]
            return float(np.prod(rest)) / len(self.dates())
        return float(np.prod(list(self.chances.values())))

    def generate(self, count: int, rng: np.random.Generator) -> Records:
        """Generate `count` texts, with uniformly drawn values."""
        drawn = {field.name: field.draw(count, rng) for field in self.fields}
        if self.date:
            dates = self.dates()
            drawn.update(zip(self.date, dates[rng.integers(len(dates), size=count)].T[:, :, None], strict=True))
        spelled = {field.name: field.spell_columns(drawn[field.name]) for field in self.fields}
        joined = {field.name: field.join(spelled[field.name]) for field in self.fields}
        chosen = rng.integers(len(self.templates), size=count)
        texts = np.empty(count, dtype=object)
        for number, template in enumerate(self.templates):
            rows = np.flatnonzero(chosen == number)
            texts[rows] = template.fill_rows(joined, rows.tolist())
        columns = (tuple(column) for name in self.secret for column in spelled[name])
        return Records(texts.tolist(), dict(zip(self.secrets, columns, strict=True)))

    def read(self, texts: Sequence[str]) -> Records:
        """Read the secrets of texts that follow the pattern; raise for a text that does not."""
        fields = {field.name: field for field in self.fields}
        forms = [(template.fields, re.compile(template.expression(fields))) for template in self.templates]
        secrets = []
        for row, text in enumerate(texts):
            matches = ((names, form.fullmatch(text)) for names, form in forms)
            names, match = next(((names, match) for names, match in matches if match), ((), None))
            if match is None:
                raise InputError(
                    f"text {row} does not follow pattern '{self.name}': expected '{self.templates[0].text}'; "
                    "remove the text, or add a template that it follows"
                )
            groups = iter(match.groups())
            spelled = {name: [tuple(next(groups) for _ in fields[name].places)] for name in names}
            secrets.append(self._select_secrets(spelled, 0))
        return self._build_records(list(texts), secrets)

    def dates(self) -> Integers:
        """The dates that can be drawn: rows of indices into the values of year, month and day."""
        values = {field.name: field.places[0] for field in self.fields}
        year, month, day = ([int(value) for value in values[name]] for name in self.date)
        return real_dates(year, month, day)

    def _select_secrets(self, spelled: dict[str, list[tuple[str, ...]]], row: int) -> list[str]:
        return list(chain.from_iterable(spelled[name][row] for name in self.secret))

    def _build_records(self, texts: list[str], rows: list[list[str]]) -> Records:
        columns = list(zip(*rows, strict=True)) or [()] * len(self.secrets)
        return Records(texts, dict(zip(self.secrets, columns, strict=True)))


def real_dates(years: Sequence[int], months: Sequence[int], days: Sequence[int]) -> Integers:
    """The combinations that are dates of the calendar: rows of indices into `years`, `months` and `days`."""
    year, month, day = np.meshgrid(years, months, days, indexing="ij")
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    in_year = (month >= 1) & (month <= 12)
    length = _DAYS_IN_MONTH[np.where(in_year, month, 1) - 1] + (leap & (month == 2))
    return np.argwhere(in_year & (day >= 1) & (day <= length))


def _match_any(values: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
