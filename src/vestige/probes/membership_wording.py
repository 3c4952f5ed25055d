"""Low rates of false positives and bounds on epsilon, in words."""

from vestige.metrics.membership.epsilon import EpsilonBound
from vestige.metrics.membership.operating import Operating


def realised(point: Operating) -> str:
    """The rate that was asked for beside the one that came about, or why there is none."""
    if point.realised is None:
        return f"{point.asked:.1%} cannot be told: {point.reason}."
    return (
        f"Asked for {point.asked:.1%}, the threshold gives {point.realised.value:.1%} (95% interval "
        f"{point.realised.low:.1%} to {point.realised.high:.1%})."
    )


def proved(bound: EpsilonBound, what: str) -> str:
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
