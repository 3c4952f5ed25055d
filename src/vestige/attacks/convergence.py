"""When a descent has converged, row by row: no row waits for the others, and none is moved because of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vestige.types import Flags, Floats, TrainingLog

if TYPE_CHECKING:
    from torch import Tensor

EVERY, TOLERANCE = 50, 1e-4
PATIENCE = 1000


class Convergence:
    """A row has converged when its objective is at rest, on a plateau, or next to nothing; checked every `EVERY` steps.

    At rest: it has changed by at most `TOLERANCE` of itself since the last check. On a plateau: over the last
    `PATIENCE` steps, its lowest value so far has not fallen faster than that; Adam at a constant rate may go around a
    minimum, or leave it, so that the objective itself never rests. Next to nothing: it is at most `TOLERANCE` of that
    of the first check; an objective that goes to zero meets neither of the other rules.

    Song and Raghunathan 2020 descend until convergence without defining it; this definition is ours. `state` has each
    row as it was at the check with its lowest objective. Only the rows in `going` still have to descend.
    """

    def __init__(self, start: "Tensor", steps: int) -> None:
        import torch

        self.state = start.clone()
        self.going = torch.arange(len(start))
        self._steps = steps
        self._first = self._before = torch.full((len(start),), torch.inf, dtype=start.dtype)
        self._lowest: list[Tensor] = [self._first]
        self._checks: list[tuple[int, Floats]] = []

    def is_due(self, step: int) -> bool:
        """Whether to check after this step, the first being 1."""
        return step % EVERY == 0 or step == self._steps

    def update(self, step: int, state: "Tensor", objective: "Tensor") -> "Tensor":
        """Record the state and the objective of the rows in `going`; which of these are to go on."""
        import torch

        if not self._checks:
            self._first = objective
        changed = (objective - self._before[self.going]).abs() > TOLERANCE * objective
        left = changed & (objective > TOLERANCE * self._first[self.going])
        lower = objective < self._lowest[-1][self.going]
        self.state[self.going[lower]] = state[lower]
        self._before = self._before.index_copy(0, self.going, objective)
        self._lowest.append(torch.minimum(self._lowest[-1], self._before))
        self._checks.append((step, self._before.double().numpy().copy()))
        window = PATIENCE // EVERY
        if len(self._checks) > window:
            then, now = (lowest[self.going] for lowest in (self._lowest[-1 - window], self._lowest[-1]))
            left &= then - now > window * TOLERANCE * now
        self.going = self.going[left]
        return left

    def record(self, count: int) -> "DescentRecord":
        """How the first `count` rows descended; the others are copies that fill a block."""
        met = np.ones(len(self.state), dtype=np.bool_)
        met[self.going.numpy()] = False
        objectives = np.array([values[:count] for _, values in self._checks])
        return DescentRecord(tuple(step for step, _ in self._checks), objectives, met[:count])


@dataclass(frozen=True)
class DescentRecord:
    """How some targets descended: the objective of each at every check, (checks, targets), and which met the rule."""

    steps: tuple[int, ...]
    objectives: Floats
    converged: Flags

    def at(self, step: int) -> Floats:
        """The objective of each target at a check; after the last check, what it was then."""
        return np.asarray(self.objectives[sum(own <= step for own in self.steps) - 1])


def summarize_descents(records: Sequence[DescentRecord], most: int) -> TrainingLog:
    """The record of all targets: converged if every one met the rule; the curve is the mean objective at each check."""
    steps = max((record.steps for record in records), key=len, default=())
    met = np.concatenate([np.empty(0, np.bool_), *(record.converged for record in records)])
    rule = (
        f"each target until its objective changes by at most {TOLERANCE:g} of itself in {EVERY} steps, or its lowest "
        f"value falls no faster over {PATIENCE:,} steps, or it is {TOLERANCE:g} of the first, at most {most:,} steps; "
        f"{int(met.sum())} of {len(met)} targets did"
    )
    curve = tuple((step, float(np.concatenate([record.at(step) for record in records]).mean())) for step in steps)
    return TrainingLog(rule, bool(met.all()), steps[-1] if steps else 0, curve)
