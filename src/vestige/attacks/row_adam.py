"""Adam on the rows of a table, each of which descends by itself and leaves when it has come to rest."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


class RowAdam:
    """Adam (Kingma and Ba 2015) on `values`, whose first axis are the rows; Adam itself works element by element."""

    def __init__(self, start: "Tensor", rate: float) -> None:
        import torch

        self._rate = rate
        self.values = start.clone().requires_grad_()
        self._adam = torch.optim.Adam([self.values], lr=rate, fused=True)

    def step(self, gradient: "Tensor") -> None:
        """Move against the gradient."""
        self.values.grad = gradient
        self._adam.step()

    def keep(self, rows: "Tensor") -> None:
        """Drop all other rows, and what Adam remembers of them."""
        import torch

        remembered = self._adam.state[self.values]
        self.values = self.values.detach()[rows].requires_grad_()
        self._adam = torch.optim.Adam([self.values], lr=self._rate, fused=True)
        self._adam.state[self.values] = {
            "step": remembered["step"],
            "exp_avg": remembered["exp_avg"][rows],
            "exp_avg_sq": remembered["exp_avg_sq"][rows],
        }
