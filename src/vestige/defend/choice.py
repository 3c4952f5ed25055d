"""The cheapest defense that holds the owner's limits, or what comes nearest; in words."""

from collections.abc import Sequence
from dataclasses import replace

from vestige.defend.halving import frontier
from vestige.defend.limits import Limit, missed_by
from vestige.defend.record import UNDEFENDED, Trial


def cheapest(trials: Sequence[Trial], limits: Sequence[Limit], cost: str) -> Trial | None:
    """Of those that hold every limit, the one that keeps most; undefended vectors where these hold them."""
    holding = [trial for trial in trials if not trial.reason and missed_by(limits, trial.scores) < 0]
    return max(holding, key=lambda trial: (trial.defense == UNDEFENDED, trial.scores[cost].value), default=None)


def closest(trials: Sequence[Trial], limits: Sequence[Limit]) -> Trial:
    """The defense that misses the limits by least."""
    return min(trials, key=lambda trial: missed_by(limits, trial.scores))


def with_fates(
    trials: Sequence[Trial], limits: Sequence[Limit], chosen: Trial | None, question: str, cost: str
) -> tuple[Trial, ...]:
    """Every trial with what became of it, the one that keeps most first; those that were dropped last."""
    best = frontier([trial for trial in trials if not trial.reason], question, cost)

    def judged(trial: Trial) -> Trial:
        if trial.reason:
            return trial
        on = trial.defense in best
        if chosen is not None and trial.defense == chosen.defense:
            return replace(trial, fate="chosen", frontier=on)
        if trial.defense == UNDEFENDED:
            return replace(trial, frontier=on)
        return replace(trial, fate="holds" if missed_by(limits, trial.scores) < 0 else "misses", frontier=on)

    def place(trial: Trial) -> tuple[bool, bool, float]:
        return trial.defense != UNDEFENDED, bool(trial.reason), -trial.scores[cost].value

    return tuple(sorted(map(judged, trials), key=place))


def headline(chosen: Trial | None, limits: Sequence[Limit]) -> str:
    """The answer in one sentence."""
    asked = _spoken(limits)
    if not limits:
        return "No limit was set, so none of the defenses is chosen."
    if chosen is None:
        return f"No defense that was tried has {asked}."
    if chosen.defense == UNDEFENDED:
        return f"No defense is needed: the vectors as they are have {asked}."
    return f"The cheapest defense with {asked} is {chosen.defense}."


def sentences(trials: Sequence[Trial], chosen: Trial | None, limits: Sequence[Limit]) -> tuple[str, ...]:
    """What the answer rests on, and which defenses are only obscurity."""
    defended = [trial for trial in trials if trial.defense != UNDEFENDED]
    undefended = next(trial for trial in trials if trial.defense == UNDEFENDED)
    told = [f"Undefended: {_figures(undefended)}."]
    if chosen is not None and chosen is not undefended:
        told.append(f"With {chosen.defense}, to whichever stranger reads more: {_figures(chosen)}.")
    finished = [trial for trial in defended if not trial.reason]
    if chosen is None and finished and limits:
        near = closest(finished, limits)
        told.append(f"Nearest comes {near.defense}, to whichever stranger reads more: {_figures(near)}.")
    obscure = [trial.defense for trial in defended if trial.obscure]
    if obscure:
        told.append(
            f"Only obscurity: {', '.join(obscure)}. A stranger who does not know of the defense is fooled; "
            "one who does reads on."
        )
    return tuple(told)


def _spoken(limits: Sequence[Limit]) -> str:
    parts = [f"{limit.measure} {'over' if limit.above else 'under'} {limit.value:.2f}" for limit in limits]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _figures(trial: Trial) -> str:
    return ", ".join(
        f"{name} {score.value:.3f} ({score.low:.3f} to {score.high:.3f})" for name, score in trial.scores.items()
    )
