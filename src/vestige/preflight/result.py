"""The record of a preflight: all that a report may read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SCHEMA = 1

CheckLevel = Literal["ok", "note", "warning", "error"]
"""An error makes an audit of these vectors wrong or impossible; a warning is for the owner to act on."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found, in one or two sentences, and the numbers behind them.

    `examples` are masked: no word of a text, no digit of a number is in them.
    """

    name: str
    level: CheckLevel
    sentence: str
    evidence: Mapping[str, float] = field(default_factory=dict)
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preflight:
    """All checks, what lies in clear beside the vectors first.

    `source` names no folder; `sampled` of its `rows` were looked at. `columns` says which column holds what, and
    `guessed` which of these the caller had not named.
    """

    schema: int
    version: str
    source: str
    rows: int
    exact: bool
    sampled: int
    dimension: int
    form: str
    columns: dict[str, list[str]]
    guessed: tuple[str, ...]
    encoder: str | None
    checks: tuple[Check, ...]

    @property
    def failed(self) -> bool:
        """Whether any check is an error."""
        return any(check.level == "error" for check in self.checks)

    def named(self, name: str) -> list[Check]:
        """The checks of this name."""
        return [check for check in self.checks if check.name == name]
