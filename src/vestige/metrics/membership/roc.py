"""The ROC curve of a membership attack: its points, its area, and the TPR at a low FPR (Carlini et al. 2022)."""

from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import TAIL, clopper_pearson, make_score
from vestige.metrics.membership.grouped_scores import GroupedScores, rate
from vestige.types import Flags, Floats, Integers, Score

POINTS = 120


@dataclass(frozen=True, slots=True)
class Tally:
    """Rows at or above each threshold, the highest threshold first: members are `hits`, non-members `alarms`.

    The first threshold is above all scores and calls nobody a member.
    """

    thresholds: Floats
    hits: Integers
    alarms: Integers


@dataclass(frozen=True, slots=True)
class RocPoint:
    """A point of the curve."""

    fpr: float
    tpr: float


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """The TPR at a required FPR. If it cannot be measured, both scores are None and `reason` says why.

    `asked` is the required false-positive rate, `realised` the one that the threshold gives, and `tpr` the share of
    members found, with the realised rate as its baseline.
    """

    asked: float
    realised: Score | None
    tpr: Score | None
    reason: str | None = None


def tally(members: Floats, others: Floats) -> Tally:
    """Count members and non-members at or above every score that occurs; equal scores are counted together."""
    thresholds = np.append(np.inf, np.unique(np.concatenate([members, others]))[::-1])
    hits, alarms = (len(scores) - np.searchsorted(np.sort(scores), thresholds) for scores in (members, others))
    return Tally(thresholds, hits.astype(np.int64), alarms.astype(np.int64))


def roc_curve(members: Floats, others: Floats) -> tuple[RocPoint, ...]:
    """Points from (0, 0) to (1, 1), each exactly on the curve, a few hundred at most.

    Points on a straight line between their neighbours are dropped. If too many remain, those evenly spaced on
    logarithmic axes represent them.
    """
    counts = tally(members, others)
    corners = np.flatnonzero(_corners(counts.hits, counts.alarms))
    chosen = corners[_evenly_spaced(counts.hits[corners], counts.alarms[corners])]
    return tuple(
        RocPoint(float(fpr), float(tpr))
        for fpr, tpr in zip(counts.alarms[chosen] / len(others), counts.hits[chosen] / len(members), strict=True)
    )


def auc(members: GroupedScores, others: GroupedScores) -> Score:
    """The probability that a member scores above a non-member, equal scores counting one half; exact.

    The variance is DeLong's (1988), summed over documents (Obuchowski 1997). The area is then treated as a proportion
    of as many comparisons as have that variance, fewer by the Student's t correction, and has the interval of Clopper
    and Pearson, which stays wide enough near 0 and 1. If the variance is 0, as when the scores are perfectly separated,
    the number of comparisons is the most that use no document twice.
    """
    n, m = len(members.scores), len(others.scores)
    below, not_above = _twice_below(members.scores, others.scores), _twice_below(others.scores, members.scores)
    area = int(below.sum()) / (2 * n * m)
    variance = _variance(below / (2 * m) - area, members) + _variance(1 - not_above / (2 * n) - area, others)
    comparisons = _effective_comparisons(area, variance, min(members.documents, others.documents))
    low, high = clopper_pearson(area * comparisons, comparisons)
    return make_score(area, float(low), float(high), n + m, 0.5)


def tpr_at_fpr(members: GroupedScores, others: GroupedScores, fpr: float) -> OperatingPoint:
    """Call every row a member that scores above all but the `fpr` share of non-members, never more than that share.

    The threshold depends on the non-members alone, so the interval of the TPR is valid for it. So is that of the
    realised FPR: with k of n non-members above the threshold, the true rate is distributed between Beta(k, n - k + 1)
    and Beta(k + 1, n - k), which give the ends. Non-members with equal scores are called together or not at all. That
    the true rate is at most `fpr` is a stronger claim: only the high end of the realised rate supports one.
    """
    if not 0 < fpr < 1:
        raise InputError(f"a false-positive rate of {fpr}; expected one above 0 and below 1, such as 0.01")
    n = len(others.scores)
    allowed = floor(round(fpr * n, 9))
    if not allowed:
        needed = ceil(round(1 / fpr, 9))
        reason = f"{n} non-members are too few to measure a false-positive rate of {fpr}; give {needed}"
        return OperatingPoint(fpr, None, None, reason)
    ceiling = np.sort(others.scores)[n - allowed - 1]
    realised = make_score(*rate(others.scores > ceiling, others), n, fpr)
    tpr = make_score(*rate(members.scores > ceiling, members), len(members.scores), realised.value)
    return OperatingPoint(fpr, realised, tpr)


def _corners(hits: Integers, alarms: Integers) -> Flags:
    up, along = np.diff(hits), np.diff(alarms)
    turns = up[:-1] * along[1:] != up[1:] * along[:-1]
    return np.concatenate([[True], turns, [True]])


def _evenly_spaced(hits: Integers, alarms: Integers) -> Integers:
    if len(hits) <= 2 * POINTS:
        return np.arange(len(hits))
    by_alarms = np.searchsorted(alarms, np.append(0, np.geomspace(1, alarms[-1], POINTS - 2)), side="right") - 1
    by_hits = np.searchsorted(hits, np.geomspace(1, hits[-1], POINTS - 1))
    return np.unique(np.concatenate([[0], by_alarms, by_hits, [len(hits) - 1]])).astype(np.int64)


def _twice_below(scores: Floats, others: Floats) -> Integers:
    """Twice the number of other scores below each score, equal ones counting one half: a whole number."""
    ranked = np.sort(others)
    twice = np.searchsorted(ranked, scores) + np.searchsorted(ranked, scores, side="right")
    return twice.astype(np.int64)


def _variance(deviations: Floats, grouped: GroupedScores) -> float:
    sums = np.bincount(grouped.owners, weights=deviations)
    return float(grouped.documents / (grouped.documents - 1) * np.square(sums).sum() / len(deviations) ** 2)


def _effective_comparisons(area: float, variance: float, documents: int) -> float:
    from scipy.stats import norm, t

    if variance == 0:
        return float(documents)
    return float(area * (1 - area) / variance * (norm.isf(TAIL) / t.isf(TAIL, documents - 1)) ** 2)
