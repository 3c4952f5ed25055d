"""The advantage of a membership attack (Yeom et al. 2018; Song and Raghunathan 2020, Section 6.4), and what it proves.

The advantage is TPR - FPR. Its gain over a baseline is measured on the same rows. The rates also give a lower bound on
the epsilon of differential privacy.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.metrics.intervals import PLACES, TAIL, clopper_pearson, make_score
from vestige.metrics.membership.grouped_scores import GroupedScores, rate
from vestige.metrics.membership.roc import tally
from vestige.types import Flags, Floats, Score


@dataclass(frozen=True, slots=True)
class EpsilonBound:
    """With this `confidence`, every claim of (epsilon, delta)-privacy with an epsilon below `at_least` is false.

    It is only a lower bound: it has no upper end, and a bound of 0 does not mean that anything is private. `provable`
    is the bound that perfectly separated scores of as many rows would give. If there is no bound, `at_least` is None
    and `reason` says why.
    """

    at_least: float | None
    provable: float
    delta: float
    confidence: float
    members: int
    others: int
    reason: str | None = None


def advantage(
    members: GroupedScores, others: GroupedScores, rng: np.random.Generator, *, threshold: float | None = None
) -> Score:
    """TPR - FPR when every row at or above the threshold is called a member; guessing gives 0.

    A `threshold` must come from other data, such as the auxiliary texts. Without one, the best threshold of a random
    half of the documents is applied to the other half, and vice versa: the best threshold of the same rows would show
    an advantage where there is none. The interval combines those of the two rates (Newcombe 1998, method 10).
    """
    if threshold is None:
        caught, alarmed = call_across_halves(members, others, members.half(rng), others.half(rng))
    else:
        caught, alarmed = members.scores >= threshold, others.scores >= threshold
    tpr, tpr_low, tpr_high = rate(caught, members)
    fpr, fpr_low, fpr_high = rate(alarmed, others)
    gain = tpr - fpr
    low, high = gain - np.hypot(tpr - tpr_low, fpr_high - fpr), gain + np.hypot(tpr_high - tpr, fpr - fpr_low)
    return make_score(gain, max(low, -1), min(high, 1), len(caught) + len(alarmed), 0.0)


def advantage_gain(
    attack: tuple[GroupedScores, GroupedScores], baseline: tuple[GroupedScores, GroupedScores], rng: np.random.Generator
) -> Score:
    """The advantage of `attack` minus that of `baseline`; each is (members, non-members), with rows in the same order.

    Both choose their thresholds on the same halves. Rows on which they agree cancel out. For members and for
    non-members, the share that only the attack calls members minus the share that only the baseline does has the
    interval of a paired difference (Newcombe 1998, square-and-add).
    """
    halves = attack[0].half(rng), attack[1].half(rng)
    calls = zip(call_across_halves(*attack, *halves), call_across_halves(*baseline, *halves), attack, strict=True)
    caught, alarmed = (_change(now, before, grouped) for now, before, grouped in calls)
    value = caught[0] - alarmed[0]
    low, high = value - np.hypot(caught[1], alarmed[2]), value + np.hypot(caught[2], alarmed[1])
    return make_score(value, max(low, -2), min(high, 2), sum(len(grouped.scores) for grouped in attack), 0.0)


def epsilon_bound(
    members: GroupedScores,
    others: GroupedScores,
    rng: np.random.Generator,
    *,
    delta: float = 0.0,
    threshold: float | None = None,
) -> EpsilonBound:
    """max of log((TPR - delta) / FPR) and log((1 - delta - FPR) / (1 - TPR)), at the ends of both that favour privacy.

    Those ends are exact, and each fails with a probability of 2.5% at most (Jagielski et al. 2020; Nasr et al. 2021).
    The threshold must not be chosen on the rows that it is measured on: unless it is given, a random half of the rows
    chooses it, and the other half is measured. Rows must be independent trials, so rows that share a document are
    refused; nor may records of one training run influence each other's scores.
    """
    if not 0 <= delta < 1:
        raise InputError(f"a delta of {delta}; expected 0 or more and less than 1")
    ours, theirs = members.scores, others.scores
    if threshold is None:
        our_half, their_half = members.half(rng), others.half(rng)
        threshold = _best_bound_threshold(ours[our_half], theirs[their_half], delta)
        ours, theirs = ours[~our_half], theirs[~their_half]
    sizes = len(ours), len(theirs)
    provable = round(float(_bounds(sizes[0], 0, *sizes, delta)), PLACES)
    reason = _refusal(members.independent and others.independent, provable)
    caught, alarmed = np.count_nonzero(ours >= threshold), np.count_nonzero(theirs >= threshold)
    bound = None if reason else round(float(_bounds(caught, alarmed, *sizes, delta)), PLACES)
    return EpsilonBound(bound, provable, delta, 1 - 2 * TAIL, *sizes, reason)


def best_threshold(members: Floats, others: Floats) -> float:
    """The threshold of the greatest advantage on these scores, the highest of several; infinite if none helps."""
    counts = tally(members, others)
    gains = counts.hits * len(others) - counts.alarms * len(members)
    return float(counts.thresholds[gains.argmax()])


def call_across_halves(
    members: GroupedScores, others: GroupedScores, our_half: Flags, their_half: Flags
) -> tuple[Flags, Flags]:
    """Which rows the best threshold of the half that they are not in calls members; the flags mark one half."""
    by_half = best_threshold(members.scores[our_half], others.scores[their_half])
    by_rest = best_threshold(members.scores[~our_half], others.scores[~their_half])
    caught: Flags = members.scores >= np.where(our_half, by_rest, by_half)
    alarmed: Flags = others.scores >= np.where(their_half, by_rest, by_half)
    return caught, alarmed


def _change(now: Flags, before: Flags, grouped: GroupedScores) -> tuple[float, float, float]:
    """The change of a share, and how far the interval extends below and above it."""
    more, more_low, more_high = rate(now & ~before, grouped)
    less, less_low, less_high = rate(before & ~now, grouped)
    # The two shares exclude each other, which correlates them.
    correlation = np.sqrt(more * less / ((1 - more) * (1 - less))) if more < 1 and less < 1 else 0.0
    reach = [
        float(np.sqrt(one**2 + 2 * correlation * one * other + other**2))
        for one, other in ((more - more_low, less_high - less), (more_high - more, less - less_low))
    ]
    return more - less, reach[0], reach[1]


def _refusal(independent: bool, provable: float) -> str | None:
    if not independent:
        return "rows of one document are not independent trials; give one score per document"
    return None if provable else "so few rows prove nothing even if perfectly separated; give more"


def _best_bound_threshold(members: Floats, others: Floats, delta: float) -> float:
    """The threshold of the greatest bound on these scores."""
    counts = tally(members, others)
    bounds = _bounds(counts.hits, counts.alarms, len(members), len(others), delta)
    return float(counts.thresholds[bounds.argmax()])


def _bounds(hits: npt.ArrayLike, alarms: npt.ArrayLike, members: int, others: int, delta: float) -> Floats:
    tpr, _ = clopper_pearson(hits, members)
    _, fpr = clopper_pearson(alarms, others)
    called = np.maximum(tpr - delta, fpr) / fpr
    cleared = np.maximum(1 - delta - fpr, 1 - tpr) / (1 - tpr)
    bounds: Floats = np.log(np.maximum(called, cleared))
    return bounds
