"""Low false positive rates and bounds on epsilon, in words."""

from vestige.metrics.membership.advantage import EpsilonBound
from vestige.metrics.membership.roc import OperatingPoint


def describe_realised(point: OperatingPoint) -> str:
    """The requested false positive rate and the realised one, or why there is none."""
    if point.realised is None:
        return f"{point.asked:.1%} cannot be measured: {point.reason}."
    return (
        f"The threshold for {point.asked:.1%} realises {point.realised.value:.1%} (95% interval "
        f"{point.realised.low:.1%} to {point.realised.high:.1%})."
    )


def describe_bound(bound: EpsilonBound, what: str) -> str:
    """What a bound says of `what`, and what it does not."""
    if bound.at_least is None:
        return f"No bound on epsilon can be given: {bound.reason}."
    if not bound.at_least:
        return f"This disproves no claim that {what} is differentially private, which is no proof of it."
    return (
        f"With {bound.confidence:.0%} confidence, no claim that {what} is differentially private with an epsilon below "
        f"{bound.at_least:.2f} is true. That is a lower bound, of one run and this attack: the true epsilon may be any "
        "higher."
    )
