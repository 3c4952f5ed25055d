"""What an owner asks of a sweep."""

from dataclasses import dataclass

from vestige.defend.limits import Limit
from vestige.defend.questions import Asked


@dataclass(frozen=True)
class Asking:
    """The limits, the defenses to try, the task to keep, the draws of noise, and whether small sizes come first."""

    limits: tuple[Limit, ...]
    defenses: str | None
    task: str | None
    draws: int
    halving: bool

    @property
    def cost(self) -> str:
        """The utility by which defenses are cheap or dear: the first with a limit, else the task, else search."""
        limited = [limit.measure for limit in self.limits if limit.above]
        return next(iter(limited), "recall@10" if self.task is None else "task")

    def question(self, asked: Asked) -> str:
        """The question that is drawn against the cost: the first with a limit, else words."""
        names = [each.name for each in asked.questions]
        limited = [name for limit in self.limits for name in names if limit.concerns(name)]
        return next(iter(limited), names[0])
