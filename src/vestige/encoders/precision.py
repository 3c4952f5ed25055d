"""The precision in which a transformer computes."""

import logging
from typing import TYPE_CHECKING

from vestige.types import Precision

if TYPE_CHECKING:
    import torch

logger = logging.getLogger(__name__)


def choose_dtype(precision: Precision) -> "torch.dtype":
    """The type of the weights; warns if the processor has to emulate it."""
    import torch

    if precision == "fp32":
        return torch.float32
    if not has_bf16():
        logger.warning("this processor has no bf16 arithmetic and emulates it slowly; --precision fp32 is faster here")
    return torch.bfloat16


def has_bf16() -> bool:
    """Whether the processor has bf16 arithmetic."""
    import torch

    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
