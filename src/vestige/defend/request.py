"""What an owner wants from a sweep."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.defend.limits import NO_TASK, Limit, check_measured

DEFAULT_PROBES = ("words", "keywords", "attributes")
"""The probes that judge defenses if the owner names none: the fast ones."""


@dataclass(frozen=True)
class SweepRequest:
    """The limits, the defenses to try, the task to preserve, the draws of noise, and whether to screen at a small size.

    `chosen` are the probes that the owner named. With `thief`, an adversary without pairs judges too, who aligns the
    defended vectors with vectors of its own text, and runs the attacks of those probes that learn from pairs.
    """

    limits: tuple[Limit, ...]
    defenses: str | None
    task: str | None
    draws: int
    halving: bool
    chosen: tuple[str, ...] = ()
    thief: bool = False

    @property
    def probes(self) -> tuple[str, ...]:
        """The probes that judge defenses: those that were named, or else the default ones and those with a limit."""
        limited = [limit.measure for limit in self.limits if not limit.above]
        return self.chosen or tuple(dict.fromkeys((*DEFAULT_PROBES, *limited)))

    def check_limits(self) -> None:
        """Refuse, before any work, a limit on a probe that does not judge, or on a task that was not named."""
        task = () if self.task is None else ("task",)
        check_measured(self.limits, (*self.probes, "recall@10", "correlation", *task), {"task": NO_TASK})

    @property
    def cost(self) -> str:
        """The utility that decides which defense is cheapest: the first with a limit, else the task, else search."""
        limited = [limit.measure for limit in self.limits if limit.above]
        return next(iter(limited), "recall@10" if self.task is None else "task")

    def choose_probe(self, names: Sequence[str]) -> str:
        """The probe that the frontier shows against the cost: the first with a limit, else the first."""
        limited = [name for limit in self.limits for name in names if limit.concerns(name)]
        return next(iter(limited), names[0])
