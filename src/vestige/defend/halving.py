"""Which trials go on to the next rung: those that nothing beats beyond doubt, and that may still hold the limits."""

from collections.abc import Collection, Sequence

import numpy as np

from vestige.defend.limits import Limit, missed_by
from vestige.defend.record import UNDEFENDED, Trial
from vestige.types import Score

NEAREST = 3
"""So many that come nearest to the limits go on even where all are hopeless."""

DRAWN = 5
"""So many of the frontier go on with them, from one end to the other, that it may be drawn."""


def dropped(trials: Sequence[Trial], limits: Sequence[Limit], question: str, cost: str) -> dict[str, str]:
    """The trials that end here, by defense, each with the reason."""
    tried = [trial for trial in trials if trial.defense != UNDEFENDED]
    by_nearness = sorted(tried, key=lambda trial: missed_by(limits, trial.scores))
    kept = {trial.defense for trial in by_nearness[:NEAREST]} if limits else set()
    best = frontier(tried, question, cost)
    ends = sorted((trial for trial in tried if trial.defense in best), key=lambda trial: trial.scores[cost].value)
    kept |= {ends[place].defense for place in np.linspace(0, len(ends) - 1, min(DRAWN, len(ends))).round().astype(int)}
    utilities = {cost, *(limit.measure for limit in limits if limit.above)}
    reasons = {}
    for trial in tried:
        reason = _hopeless(trial, limits) or _beaten(trial, trials, utilities)
        if reason and trial.defense not in kept:
            reasons[trial.defense] = reason
    return reasons


def dominates(one: Trial, other: Trial, utilities: Collection[str]) -> bool:
    """Whether one keeps more of every utility and leaks less in every question than the other, intervals and all."""
    keeps = all(one.scores[name].low > other.scores[name].high for name in utilities)
    return keeps and all(one.leakage[name].high < leak.low for name, leak in other.leakage.items())


def frontier(trials: Sequence[Trial], question: str, cost: str) -> set[str]:
    """Those of which none other keeps at least as much and leaks no more, by the figures alone."""

    def beats(one: Trial, other: Trial) -> bool:
        ahead = _ahead(one.scores[cost], other.scores[cost]), _ahead(other.leakage[question], one.leakage[question])
        return min(ahead) >= 0 and max(ahead) > 0

    return {trial.defense for trial in trials if not any(beats(other, trial) for other in trials)}


def _ahead(one: Score, other: Score) -> float:
    return one.value - other.value


def _hopeless(trial: Trial, limits: Sequence[Limit]) -> str:
    for limit in limits:
        for name, score in trial.scores.items():
            if limit.concerns(name) and limit.hopeless(score):
                return f"{name} {score.value:.3f} ({score.low:.3f} to {score.high:.3f}) misses {limit.expression}"
    return ""


def _beaten(trial: Trial, trials: Sequence[Trial], utilities: Collection[str]) -> str:
    better = next((other for other in trials if dominates(other, trial, utilities)), None)
    return f"{better.defense} leaks less and keeps more" if better else ""
