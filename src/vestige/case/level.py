"""How severe a leakage is, and whether a finding can be trusted."""

from vestige.case.findings import Level, Measure
from vestige.types import Score

SEVERE, SUBSTANTIAL = 0.30, 0.10


def grade_leakage(leakage: Score) -> Level:
    """The level of a leakage; if its interval includes zero, none, or unknown if its upper end is substantial."""
    if leakage.low <= 0:
        return "none" if leakage.high < SUBSTANTIAL else "unknown"
    if leakage.value >= SEVERE:
        return "severe"
    return "substantial" if leakage.value >= SUBSTANTIAL else "slight"


def gain_over(score: Score, prior: float) -> Score:
    """The gain over a prior that is known and not measured."""
    return Score(score.value - prior, score.low - prior, score.high - prior, score.n, 0.0)


def describe_no_gain(who: str, leakage: Score) -> str:
    """The summary of a finding whose leakage has an interval that includes zero."""
    if grade_leakage(leakage) == "none":
        return f"{who} learns no more from the vectors than from guessing."
    return (
        f"Whether {who[0].lower()}{who[1:]} learns more from the vectors than from guessing could not be determined: "
        f"the gain may be anything up to {leakage.high:.2f}."
    )


UNLEARNT = 0.75  # An attack that learns nothing falls back to the prior; one below three quarters of it is broken.


def find_doubts(headline: Measure) -> tuple[str, ...]:
    """Why the scores of a probe cannot be trusted; empty if they can."""
    if headline.attack.high >= UNLEARNT * headline.prior.value:
        return find_control_doubts(headline)
    return (
        *find_control_doubts(headline),
        "The attack scores far below guessing: it did not learn, so it says nothing about what the vectors contain. "
        "Use the default recipe, or give the attacker more pairs.",
    )


def find_control_doubts(headline: Measure) -> tuple[str, ...]:
    """A warning if the control scores above guessing."""
    if headline.control.value <= headline.prior.high or headline.control.low <= headline.prior.value:
        return ()
    return (
        "The control, with vectors and texts mismatched, scores above guessing. Something other than the vectors "
        "gives the text away; do not rely on the figures of this probe.",
    )
