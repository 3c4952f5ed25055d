"""Adversarial advantage: true positives less false ones (Yeom et al. 2018; Song and Raghunathan, Section 6.4)."""

import numpy as np

from vestige.metrics.membership.curve import tally
from vestige.metrics.membership.rate import rate
from vestige.metrics.membership.side import Side
from vestige.metrics.rounding import rounded
from vestige.types import Flags, Floats, Score


def advantage(members: Side, others: Side, rng: np.random.Generator, *, threshold: float | None = None) -> Score:
    """TPR - FPR when every row at or above the threshold is called a member; guessing gives 0.

    A `threshold` must come from elsewhere, such as auxiliary data. Without one, the best threshold of a random half
    of the documents calls the other half, both ways round: the best threshold of the very rows it calls would show
    an advantage where there is none. The interval combines those of the two rates (Newcombe 1998, method 10).
    """
    if threshold is None:
        caught, alarmed = crossed(members, others, members.half(rng), others.half(rng))
    else:
        caught, alarmed = members.scores >= threshold, others.scores >= threshold
    tpr, tpr_low, tpr_high = rate(caught, members)
    fpr, fpr_low, fpr_high = rate(alarmed, others)
    gain = tpr - fpr
    low, high = gain - np.hypot(tpr - tpr_low, fpr_high - fpr), gain + np.hypot(tpr_high - tpr, fpr - fpr_low)
    return rounded(gain, max(low, -1), min(high, 1), len(caught) + len(alarmed), 0.0)


def best_threshold(members: Floats, others: Floats) -> float:
    """The threshold of the greatest advantage on these scores, the highest of several; infinite where none helps."""
    counts = tally(members, others)
    gains = counts.hits * len(others) - counts.alarms * len(members)
    return float(counts.thresholds[gains.argmax()])


def crossed(members: Side, others: Side, ours: Flags, theirs: Flags) -> tuple[Flags, Flags]:
    """Who is called a member by the threshold of the half that the row is not in; the flags are those of one half."""
    by_half = best_threshold(members.scores[ours], others.scores[theirs])
    by_rest = best_threshold(members.scores[~ours], others.scores[~theirs])
    caught: Flags = members.scores >= np.where(ours, by_rest, by_half)
    alarmed: Flags = others.scores >= np.where(theirs, by_rest, by_half)
    return caught, alarmed
