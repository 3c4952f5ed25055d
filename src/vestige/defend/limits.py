"""The limits that a defense must meet: "words<0.10", "recall@10>0.9"."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vestige.errors import InputError
from vestige.probes.plan import list_probes
from vestige.registry import nearest
from vestige.types import Score

UTILITY = ("recall@10", "correlation", "task")
NOT_CHOSEN = "it was not chosen"
NO_TASK = "no task was named; name one with --task"

_LIMIT = re.compile(r"\s*([\w@-]+)\s*([<>])\s*(\d+\.?\d*|\.\d+)\s*")


@dataclass(frozen=True, slots=True)
class Limit:
    """Leakage below, or utility above, some value. It holds if the whole interval is on the right side."""

    expression: str
    measure: str
    above: bool
    value: float

    def concerns(self, name: str) -> bool:
        """Whether the limit is on this measure; one on attributes is on each of them."""
        return name.partition(":")[0] == self.measure

    def margin(self, score: Score) -> float:
        """How far the interval reaches to the wrong side; negative if the limit holds."""
        return self.value - score.low if self.above else score.high - self.value

    def hopeless(self, score: Score) -> bool:
        """Whether the whole interval is on the wrong side."""
        return score.high <= self.value if self.above else score.low >= self.value


def find_margin(limits: Iterable[Limit], scores: dict[str, Score]) -> float:
    """The largest margin by which a limit is missed; negative if all hold."""
    missed = [limit.margin(score) for limit in limits for name, score in scores.items() if limit.concerns(name)]
    return max(missed, default=-1.0)


def list_default_limits(probes: Sequence[str]) -> tuple[str, str]:
    """The limits of an owner who sets none: leakage of the first probe, and search."""
    return f"{probes[0] if probes else 'words'}<0.10", "recall@10>0.90"


def parse_limit(expression: str) -> Limit:
    """Parse `PROBE<VALUE` on leakage, or `MEASURE>VALUE` on utility."""
    match = _LIMIT.fullmatch(expression)
    if match is None:
        raise InputError(
            f"limit '{expression}' cannot be read; expected a form such as 'words<0.10' or 'recall@10>0.9'"
        )
    measure, comparison, value = match.groups()
    privacy = [probe.name for probe in list_probes()]
    if measure not in (*privacy, *UTILITY):
        raise InputError(f"limit '{expression}' names no measure; {nearest(measure, [*privacy, *UTILITY])}")
    if (comparison == ">") != (measure in UTILITY):
        meant = f"{measure}>{value}" if measure in UTILITY else f"{measure}<{value}"
        raise InputError(f"limit '{expression}' asks for less utility or more leakage; did you mean '{meant}'?")
    if float(value) > 1:
        raise InputError(
            f"limit '{expression}' asks for {value}; expected a share from 0 to 1; "
            f"write ten percent as '{measure}{comparison}0.10'"
        )
    return Limit(expression.strip(), measure, comparison == ">", float(value))


def check_measured(limits: Sequence[Limit], names: Iterable[str], missing: dict[str, str]) -> None:
    """Refuse a limit on something that is not measured, since it could never hold."""
    known = list(names)
    for limit in limits:
        if not any(limit.concerns(name) for name in known):
            why = missing.get(limit.measure, NOT_CHOSEN)
            remedy = f"; add --probe {limit.measure}" if why == NOT_CHOSEN else ""
            raise InputError(
                f"limit '{limit.expression}' cannot be checked: {why}{remedy}, or set other limits with --limit"
            )
