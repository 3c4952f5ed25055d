"""The record of a preflight, from which the reports are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SCHEMA = 1

CheckLevel = Literal["ok", "note", "warning", "error"]
"""An error makes an audit of these vectors wrong or impossible. A warning is for the owner to act on."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: one or two sentences, and the numbers behind them.

    `examples` are masked: they contain no word of a text and no digit of a number.
    """

    name: str
    level: CheckLevel
    sentence: str
    evidence: Mapping[str, float] = field(default_factory=dict)
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preflight:
    """All checks, plain text next to the vectors first.

    `source` names no folder. `sampled` of its `rows` were checked. `columns` gives the columns of each role, and
    `guessed` the roles that were detected rather than named by the caller.
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
