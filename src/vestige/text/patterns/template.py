"""Ordinary text with fields in it: `my number is {id}`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from vestige.text.patterns.field import Field


@dataclass(frozen=True, slots=True)
class Template:
    """`parts` are literal texts, each with the field that follows it; the last has none."""

    text: str
    parts: tuple[tuple[str, str | None], ...]

    @classmethod
    def of(cls, text: str) -> "Template":
        """Part the text at its fields; `{{` and `}}` are braces. Raises ValueError where braces are not in pairs."""
        parts = []
        for literal, name, form, conversion in Formatter().parse(text):
            if form or conversion:
                raise ValueError(f"'{{{name}}}' carries a format")
            parts.append((literal, name))
        return cls(text, tuple(parts))

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields in the order they stand in."""
        return tuple(name for _, name in self.parts if name is not None)

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with a value in the place of each field."""
        return "".join(literal + ("" if name is None else values[name]) for literal, name in self.parts)

    def expression(self, fields: Mapping[str, Field]) -> str:
        """A regular expression that such texts match, with a group a place of a field."""
        return "".join(
            re.escape(literal) + ("" if name is None else fields[name].expression) for literal, name in self.parts
        )
