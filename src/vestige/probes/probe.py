"""A probe is one question an owner asks."""

from typing import Protocol

from vestige.case.case import Case
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.types import Progress


class Probe(Protocol):
    """Picks an attack that the case allows, runs it beside a prior and a control, and scores all three.

    A probe is a frozen dataclass: its fields go into the digest under which its finding is kept.
    """

    @property
    def name(self) -> str:
        """What gates and reports call it."""

    @property
    def question(self) -> str:
        """The question, in the owner's words."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures that its finding will have."""

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """The answer, or why there is none and what would give one."""
