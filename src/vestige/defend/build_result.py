"""From trials to the record of a sweep: the choice, the status of every defense, and the answer in words."""

from collections.abc import Sequence
from dataclasses import replace

import vestige
from vestige.case.case import Case
from vestige.case.settings import Settings
from vestige.defend.limits import Limit, find_margin
from vestige.defend.record import SCHEMA, UNDEFENDED, DefendResult, DefenseTrial, SweepAttack
from vestige.defend.request import SweepRequest
from vestige.defend.stages import Stages
from vestige.defend.sweep import SweepOutcome, find_frontier


def find_cheapest(trials: Sequence[DefenseTrial], limits: Sequence[Limit], cost: str) -> DefenseTrial | None:
    """The trial with the highest utility among those that meet every limit; undefended vectors if these do."""
    holding = [trial for trial in trials if not trial.reason and find_margin(limits, trial.scores) < 0]
    return max(holding, key=lambda trial: (trial.defense == UNDEFENDED, trial.scores[cost].value), default=None)


def find_closest(trials: Sequence[DefenseTrial], limits: Sequence[Limit]) -> DefenseTrial:
    """The defense that misses the limits by least."""
    return min(trials, key=lambda trial: find_margin(limits, trial.scores))


def assign_status(
    trials: Sequence[DefenseTrial], limits: Sequence[Limit], chosen: DefenseTrial | None, probe: str, cost: str
) -> tuple[DefenseTrial, ...]:
    """Every trial with its status: undefended vectors first, then by utility, and the dropped ones last."""
    best = find_frontier([trial for trial in trials if not trial.reason], probe, cost)

    def assign(trial: DefenseTrial) -> DefenseTrial:
        if trial.reason:
            return trial
        on = trial.defense in best
        if chosen is not None and trial.defense == chosen.defense:
            return replace(trial, status="chosen", frontier=on)
        if trial.defense == UNDEFENDED:
            return replace(trial, frontier=on)
        if not limits:
            return replace(trial, status="tried", frontier=on)
        return replace(trial, status="holds" if find_margin(limits, trial.scores) < 0 else "misses", frontier=on)

    def place(trial: DefenseTrial) -> tuple[bool, bool, float]:
        return trial.defense != UNDEFENDED, bool(trial.reason), -trial.scores[cost].value

    return tuple(sorted(map(assign, trials), key=place))


def write_headline(chosen: DefenseTrial | None, limits: Sequence[Limit]) -> str:
    """The answer in one sentence."""
    wanted = _describe_limits(limits)
    if not limits:
        return "No limit was set, so none of the defenses is chosen."
    if chosen is None:
        return f"No defense that was tried has {wanted}."
    if chosen.defense == UNDEFENDED:
        return f"No defense is needed: the vectors as they are have {wanted}."
    return f"The cheapest defense with {wanted} is {chosen.defense}."


def write_sentences(
    trials: Sequence[DefenseTrial], chosen: DefenseTrial | None, limits: Sequence[Limit]
) -> tuple[str, ...]:
    """The scores behind the answer, and the defenses that are only obscurity."""
    defended = [trial for trial in trials if trial.defense != UNDEFENDED]
    undefended = next(trial for trial in trials if trial.defense == UNDEFENDED)
    sentences = [f"Undefended: {_describe_scores(undefended)}."]
    if chosen is not None and chosen is not undefended:
        sentences.append(f"With {chosen.defense}, under the stronger attacker: {_describe_scores(chosen)}.")
    finished = [trial for trial in defended if not trial.reason]
    if chosen is None and finished and limits:
        closest = find_closest(finished, limits)
        sentences.append(
            f"{closest.defense} comes closest; under the stronger attacker it has {_describe_scores(closest)}."
        )
    obscure = [trial.defense for trial in defended if trial.obscure]
    if obscure:
        sentences.append(
            f"Only obscurity: {', '.join(obscure)}. This stops an attacker who does not know the defense, but not one "
            "who does."
        )
    return tuple(sentences)


def _describe_limits(limits: Sequence[Limit]) -> str:
    parts = [f"{limit.measure} {'over' if limit.above else 'under'} {limit.value:.2f}" for limit in limits]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _describe_scores(trial: DefenseTrial) -> str:
    return ", ".join(
        f"{name} {score.value:.3f} ({score.low:.3f} to {score.high:.3f})" for name, score in trial.scores.items()
    )


def build_result(
    outcome: SweepOutcome,
    case: Case,
    request: SweepRequest,
    stages: Stages,
    settings: Settings,
    listed: Sequence[str],
) -> DefendResult:
    """The record, with the cheapest defense that meets every limit if there is one."""
    limits, cost, probe = request.limits, request.cost, request.choose_probe(stages.names)
    chosen = find_cheapest(outcome.trials, limits, cost) if limits else None
    attacks = {
        (setup.name, setup.attack): SweepAttack(setup.name, setup.measure, setup.attack, stage.number)
        for stage in stages.stages
        for setup in stage.setups
    }
    return DefendResult(
        schema=SCHEMA,
        version=vestige.__version__,
        headline=write_headline(chosen, limits),
        sentences=write_sentences(outcome.trials, chosen, limits),
        chosen=None if chosen is None else chosen.defense,
        limits=tuple(limit.expression for limit in limits),
        cost=cost,
        probe=probe,
        attacks=tuple(attacks.values()),
        rounds=outcome.rounds,
        trials=assign_status(outcome.trials, limits, chosen, probe, cost),
        not_tried=outcome.not_tried,
        not_asked=tuple(f"{name}: {why}" for name, why in stages.missing.items()),
        subject=case.subject,
        settings=settings,
        defenses=tuple(listed),
        task=request.task,
        draws=request.draws,
        halving=request.halving,
    )
