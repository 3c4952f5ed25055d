"""How much more one attack gains on membership than another, on the same rows."""

import numpy as np

from vestige.metrics.membership.advantage import crossed
from vestige.metrics.membership.rate import rate
from vestige.metrics.membership.side import Side
from vestige.metrics.rounding import rounded
from vestige.types import Flags, Score


def gain(attack: tuple[Side, Side], baseline: tuple[Side, Side], rng: np.random.Generator) -> Score:
    """The advantage of `attack` less that of `baseline`; each gives members and others, in the same order.

    Both choose their thresholds by the same halves. Rows on which both say the same drop out: on either side, the
    share that the attack alone calls members less the share that the baseline alone does, each with the interval of a
    rate, are put together as for paired shares (Newcombe 1998, methods of square and add).
    """
    halves = attack[0].half(rng), attack[1].half(rng)
    calls = zip(crossed(*attack, *halves), crossed(*baseline, *halves), attack, strict=True)
    caught, accused = (_change(now, before, side) for now, before, side in calls)
    value = caught[0] - accused[0]
    low, high = value - np.hypot(caught[1], accused[2]), value + np.hypot(caught[2], accused[1])
    return rounded(value, max(low, -2), min(high, 2), sum(len(side.scores) for side in attack), 0.0)


def _change(now: Flags, before: Flags, side: Side) -> tuple[float, float, float]:
    """The change of a share, and how far below and above it the interval reaches."""
    more, more_low, more_high = rate(now & ~before, side)
    less, less_low, less_high = rate(before & ~now, side)
    # What is in one share is not in the other.
    together = np.sqrt(more * less / ((1 - more) * (1 - less))) if more < 1 and less < 1 else 0.0
    reach = [
        float(np.sqrt(one**2 + 2 * together * one * other + other**2))
        for one, other in ((more - more_low, less_high - less), (more_high - more, less - less_low))
    ]
    return more - less, reach[0], reach[1]
