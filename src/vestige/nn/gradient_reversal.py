"""Gradient reversal (Ganin and Lempitsky 2015): the identity forwards, the gradient times -strength backwards."""

from typing import Any

import torch
from torch import Tensor


def reverse_gradient(values: Tensor, strength: float) -> Tensor:
    """The values unchanged; the gradient that flows back through them is multiplied by -`strength`."""
    reversed_: Tensor = _Reversal.apply(values, strength)  # type: ignore[no-untyped-call]
    return reversed_


class _Reversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, strength: float) -> Tensor:
        ctx.strength = strength
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return -ctx.strength * gradients[0], None
