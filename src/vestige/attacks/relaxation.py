"""Softmax relaxation, pure maths: soft words pushed through an encoder until their embedding meets a target."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Descent:
    """How Z is moved: Adam at this rate for so many steps, the temperature falling from one value to another."""

    rate: float
    steps: int
    first_temperature: float
    last_temperature: float

    def temperature(self, step: int) -> float:
        """Geometric from first to last; the one value where both are the same."""
        share = step / max(self.steps - 1, 1)
        return float(self.first_temperature * (self.last_temperature / self.first_temperature) ** share)


PUBLISHED = Descent(rate=1e-3, steps=1000, first_temperature=0.05, last_temperature=0.05)


def relax(
    embed: Callable[["Tensor"], "Tensor"], word_vectors: "Tensor", targets: "Tensor", start: "Tensor", descent: Descent
) -> "Tensor":
    """Minimise |embed(softmax(Z / T)·word_vectors) - target|² over Z (Song and Raghunathan, Eq. 4 and 5).

    `word_vectors` are (texts, candidates, width), or (candidates, width) where all texts share them; `targets` are
    (texts, d); `start` is Z before the first step, (texts, length, candidates). Gives the chance of each candidate at
    each place, as softmax(Z / T) has it at the end. Each text descends by itself: the loss is a sum, and so is Adam.
    """
    import torch

    free = start.clone().requires_grad_()
    optimiser = torch.optim.Adam([free], lr=descent.rate)
    with torch.enable_grad():
        for step in range(descent.steps):
            chances = torch.softmax(free / descent.temperature(step), dim=-1)
            loss = (embed(chances @ word_vectors) - targets).square().sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return torch.softmax(free.detach() / descent.last_temperature, dim=-1)
