"""When a descent has come to rest, row by row: no row waits for its company, and none is moved on by it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

EVERY, LITTLE = 50, 1e-4


class Convergence:
    """A row rests when its objective has changed by no more than `LITTLE` of itself in `EVERY` steps.

    Song and Raghunathan descend until convergence and do not say what that is; this is ours. `state` has each row as
    it came to rest, or as it was at the last of `steps`.
    """

    def __init__(self, start: "Tensor", steps: int) -> None:
        import torch

        self.state = start
        self._steps = steps
        self._going = torch.ones(len(start), dtype=torch.bool)
        self._before = torch.full((len(start),), torch.inf, dtype=start.dtype)

    def due(self, step: int) -> bool:
        """Whether to look after this step, the first being 1."""
        return step % EVERY == 0 or step == self._steps

    def look(self, state: "Tensor", objective: "Tensor") -> bool:
        """Whether all rows rest, by the `objective` of each."""
        import torch

        going = self._going.view(-1, *[1] * (state.dim() - 1))
        self.state = torch.where(going, state, self.state)
        self._going &= (objective - self._before).abs() > LITTLE * objective
        self._before = objective
        return not bool(self._going.any())
