"""All metrics of a membership attack."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.metrics.membership.advantage import EpsilonBound, advantage, epsilon_bound
from vestige.metrics.membership.grouped_scores import group_scores
from vestige.metrics.membership.roc import OperatingPoint, RocPoint, auc, roc_curve, tpr_at_fpr
from vestige.types import Floats, Score

RATES = (0.01, 0.001)


@dataclass(frozen=True, slots=True)
class Membership:
    """How well scores separate members from non-members; the function of each metric describes it."""

    advantage: Score
    auc: Score
    at: tuple[OperatingPoint, ...]
    epsilon: EpsilonBound
    roc: tuple[RocPoint, ...]


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
    """Score an attack that gives members higher scores than non-members, `others`; `*_groups` name each row's document.

    A row at or above a threshold is called a member. Give a `threshold` only if it was set before these scores were
    seen. Without one, documents are split into halves, so that none is called by a threshold that it helped to choose.
    """
    ours, theirs = group_scores(members, others, member_groups=member_groups, other_groups=other_groups)
    return Membership(
        advantage=advantage(ours, theirs, rng, threshold=threshold),
        auc=auc(ours, theirs),
        at=tuple(tpr_at_fpr(ours, theirs, fpr) for fpr in RATES),
        epsilon=epsilon_bound(ours, theirs, rng, delta=delta, threshold=threshold),
        roc=roc_curve(ours.scores, theirs.scores),
    )
