"""What the scores prove about differential privacy: a lower bound on epsilon."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.metrics.clopper_pearson import TAIL, clopper_pearson
from vestige.metrics.membership.curve import tally
from vestige.metrics.membership.side import Side
from vestige.metrics.rounding import PLACES
from vestige.types import Floats


@dataclass(frozen=True, slots=True)
class EpsilonBound:
    """With this `confidence`, no claim of (epsilon, delta) with an epsilon below `at_least` is true.

    A lower bound and nothing else: it has no upper end, and a bound of 0 does not say that anything is private.
    `provable` is the bound that as many rows would give if they were told apart without a mistake. Where there is no
    bound, `at_least` is None and `reason` says why.
    """

    at_least: float | None
    provable: float
    delta: float
    confidence: float
    members: int
    others: int
    reason: str | None = None


def epsilon(
    members: Side, others: Side, rng: np.random.Generator, *, delta: float = 0.0, threshold: float | None = None
) -> EpsilonBound:
    """max of log((TPR - delta) / FPR) and log((1 - delta - FPR) / (1 - TPR)), at the ends of both that favour privacy.

    Those ends are exact and each fails with a chance of 2.5% at most (Jagielski et al. 2020; Nasr et al. 2021). The
    threshold must not be chosen on the rows it is measured on: without one from elsewhere, a random half of the rows
    chooses, and the other half is measured. Rows are taken for independent trials, so that rows that share a document
    are refused; records of one training run must not sway each other's scores either.
    """
    if not 0 <= delta < 1:
        raise InputError(f"a delta of {delta}; expected 0 or more and less than 1")
    ours, theirs = members.scores, others.scores
    if threshold is None:
        mine, yours = members.half(rng), others.half(rng)
        threshold = _best_threshold(ours[mine], theirs[yours], delta)
        ours, theirs = ours[~mine], theirs[~yours]
    sizes = len(ours), len(theirs)
    provable = round(float(_bounds(sizes[0], 0, *sizes, delta)), PLACES)
    reason = _refusal(members.independent and others.independent, provable)
    caught, alarmed = np.count_nonzero(ours >= threshold), np.count_nonzero(theirs >= threshold)
    bound = None if reason else round(float(_bounds(caught, alarmed, *sizes, delta)), PLACES)
    return EpsilonBound(bound, provable, delta, 1 - 2 * TAIL, *sizes, reason)


def _refusal(independent: bool, provable: float) -> str | None:
    if not independent:
        return "rows of one document are not independent trials; give one score a document"
    return None if provable else "so few rows prove nothing even if told apart without a mistake; give more"


def _best_threshold(members: Floats, others: Floats, delta: float) -> float:
    counts = tally(members, others)
    bounds = _bounds(counts.hits, counts.alarms, len(members), len(others), delta)
    return float(counts.thresholds[bounds.argmax()])


def _bounds(hits: npt.ArrayLike, alarms: npt.ArrayLike, members: int, others: int, delta: float) -> Floats:
    tpr, _ = clopper_pearson(hits, members)
    _, fpr = clopper_pearson(alarms, others)
    accused = np.maximum(tpr - delta, fpr) / fpr
    cleared = np.maximum(1 - delta - fpr, 1 - tpr) / (1 - tpr)
    bounds: Floats = np.log(np.maximum(accused, cleared))
    return bounds
