"""How grave a leakage is, and whether a finding can be trusted."""

from vestige.case.findings import Level, Measure
from vestige.types import Score

SEVERE, SUBSTANTIAL = 0.30, 0.10


def level_of(leakage: Score) -> Level:
    """By leakage, the gain over guessing; where its interval reaches zero, none, or unknown if it reaches far up."""
    if leakage.low <= 0:
        return "none" if leakage.high < SUBSTANTIAL else "unknown"
    if leakage.value >= SEVERE:
        return "severe"
    return "substantial" if leakage.value >= SUBSTANTIAL else "slight"


def above(score: Score, prior: float) -> Score:
    """The gain over a prior that is known and not measured."""
    return Score(score.value - prior, score.low - prior, score.high - prior, score.n, 0.0)


def not_told_apart(who: str, leakage: Score) -> str:
    """What can be said where the interval of the leakage reaches zero."""
    if level_of(leakage) == "none":
        return f"{who} learns no more from the vectors than from guessing."
    return (
        f"Whether {who[0].lower()}{who[1:]} learns more from the vectors than from guessing cannot be told: the gain "
        f"may be anything up to {leakage.high:.2f}."
    )


UNLEARNT = 0.75  # An attack that learns nothing falls back to the prior; one below three quarters of it is broken.


def doubts(headline: Measure) -> tuple[str, ...]:
    """Why the figures of a probe cannot be trusted, where they cannot."""
    if headline.attack.high >= UNLEARNT * headline.prior.value:
        return doubts_of_control(headline)
    return (
        *doubts_of_control(headline),
        "The attack scores far below guessing: it did not learn, so it says nothing about what the vectors hold. "
        "Take the default recipe, or give the stranger more pairs.",
    )


def doubts_of_control(headline: Measure) -> tuple[str, ...]:
    """Whether something other than the vectors gives the text away."""
    if headline.control.value <= headline.prior.high or headline.control.low <= headline.prior.value:
        return ()
    return (
        "The control, with vectors and texts mismatched, scores above guessing. Something other than the vectors "
        "gives the text away; do not rely on the figures of this probe.",
    )
