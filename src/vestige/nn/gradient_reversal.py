"""Gradient reversal (Ganin and Lempitsky 2015): the same forth, and times minus `strength` back."""

from typing import Any

import torch
from torch import Tensor


def reversed_gradient(values: Tensor, strength: float) -> Tensor:
    """The values as they are; whatever is learned from them is unlearned below, `strength` times as fast."""
    turned: Tensor = _Reversal.apply(values, strength)  # type: ignore[no-untyped-call]
    return turned


class _Reversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, strength: float) -> Tensor:
        ctx.strength = strength
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return -ctx.strength * gradients[0], None
