"""The figures of a membership attack, together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.metrics.membership.advantage import advantage
from vestige.metrics.membership.auc import auc
from vestige.metrics.membership.curve import Point, curve
from vestige.metrics.membership.epsilon import EpsilonBound, epsilon
from vestige.metrics.membership.operating import Operating, operating
from vestige.metrics.membership.side import sides
from vestige.types import Floats, Score

RATES = (0.01, 0.001)


@dataclass(frozen=True, slots=True)
class Membership:
    """How well scores tell members from others; each figure is described where it is computed."""

    advantage: Score
    auc: Score
    at: tuple[Operating, ...]
    epsilon: EpsilonBound
    roc: tuple[Point, ...]


def membership(
    members: Floats,
    others: Floats,
    *,
    member_groups: Sequence[str],
    other_groups: Sequence[str],
    rng: np.random.Generator,
    threshold: float | None = None,
    delta: float = 0.0,
) -> Membership:
    """Score an attack that gives members higher scores; `*_groups` name the document of each row.

    A row at or above a threshold is called a member. Give a `threshold` only if it was set before these scores were
    seen; without one, documents are halved, so that none is called by a threshold it helped to choose.
    """
    ours, theirs = sides(members, others, member_groups=member_groups, other_groups=other_groups)
    return Membership(
        advantage=advantage(ours, theirs, rng, threshold=threshold),
        auc=auc(ours, theirs),
        at=tuple(operating(ours, theirs, asked) for asked in RATES),
        epsilon=epsilon(ours, theirs, rng, delta=delta, threshold=threshold),
        roc=curve(ours.scores, theirs.scores),
    )
