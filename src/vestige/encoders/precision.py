"""What a transformer computes in."""

import logging
from typing import TYPE_CHECKING

from vestige.types import Precision

if TYPE_CHECKING:
    import torch

logger = logging.getLogger(__name__)


def dtype_of(precision: Precision) -> "torch.dtype":
    """The type of the weights; with a warning where the processor has to imitate it."""
    import torch

    if precision == "fp32":
        return torch.float32
    if not has_bf16():
        logger.warning("this processor has no bf16 arithmetic and imitates it slowly; --precision fp32 is faster here")
    return torch.bfloat16


def has_bf16() -> bool:
    """Whether the processor computes in bf16 itself."""
    import torch

    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
