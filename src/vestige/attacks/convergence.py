"""When a descent has converged, row by row: no row waits for the others, and none is moved because of them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

EVERY, TOLERANCE = 50, 1e-4


class Convergence:
    """A row has converged when its objective has changed by at most `TOLERANCE` of itself in `EVERY` steps.

    Song and Raghunathan 2020 descend until convergence without defining it; this definition is ours. `state` has each
    row as it was when it converged, or at the last of `steps`.
    """

    def __init__(self, start: "Tensor", steps: int) -> None:
        import torch

        self.state = start
        self._steps = steps
        self._going = torch.ones(len(start), dtype=torch.bool)
        self._before = torch.full((len(start),), torch.inf, dtype=start.dtype)

    def is_due(self, step: int) -> bool:
        """Whether to check after this step, the first being 1."""
        return step % EVERY == 0 or step == self._steps

    def update(self, state: "Tensor", objective: "Tensor") -> bool:
        """Record the state; whether all rows have converged, by the `objective` of each."""
        import torch

        going = self._going.view(-1, *[1] * (state.dim() - 1))
        self.state = torch.where(going, state, self.state)
        self._going &= (objective - self._before).abs() > TOLERANCE * objective
        self._before = objective
        return not bool(self._going.any())
