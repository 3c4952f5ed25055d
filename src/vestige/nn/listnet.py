"""ListNet (Cao et al. 2007; Chen 2023, Equations 4.14 and 4.15): rank by the probability of being first."""

from torch import Tensor


def listnet(scores: Tensor, weights: Tensor) -> Tensor:
    """The cross-entropy of the softmax of `scores` under the softmax of the true `weights`; both (n, items)."""
    return -(weights.softmax(dim=1) * scores.log_softmax(dim=1)).sum(dim=1).mean()
