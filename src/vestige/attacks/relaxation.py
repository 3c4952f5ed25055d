"""Softmax relaxation, pure maths: soft words pushed through an encoder until their embedding meets a target."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vestige.attacks.convergence import Convergence

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Descent:
    """How Z is moved: Adam at this rate until convergence, or for so many steps; the softmax has this temperature."""

    rate: float
    steps: int
    temperature: float


PUBLISHED = Descent(rate=1e-3, steps=5000, temperature=0.05)


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
    progress = Convergence(start, descent.steps)
    with torch.enable_grad():
        for step in range(1, descent.steps + 1):
            chances = torch.softmax(free / descent.temperature, dim=-1)
            losses = (embed(chances @ word_vectors) - targets).square().sum(dim=1)
            optimiser.zero_grad()
            losses.sum().backward()
            optimiser.step()
            if progress.due(step) and progress.look(free.detach(), losses.detach()):
                break
    return torch.softmax(progress.state / descent.temperature, dim=-1)
