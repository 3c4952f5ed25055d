"""From the states of a text's tokens to one vector: mean, maximum, the last token, or the CLS token."""

from typing import TYPE_CHECKING, Literal, get_args

from vestige.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

Pooling = Literal["mean", "last", "cls", "max"]


def check_pooling(name: str, spec: str) -> Pooling:
    """The pooling of this name."""
    for known in get_args(Pooling):
        if name == known:
            return name  # type: ignore[return-value]
    raise InputError(f"'{spec}' asks for pooling '{name}'; expected one of {', '.join(get_args(Pooling))}")


def pool(states: "Tensor", pooling: Pooling, cls: int) -> "Tensor":
    """(texts, length, width) to (texts, width), texts of equal length; the CLS token stands at place `cls`."""
    if pooling == "mean":
        return states.mean(dim=1)
    if pooling == "max":
        return states.amax(dim=1)
    return states[:, -1 if pooling == "last" else cls]
