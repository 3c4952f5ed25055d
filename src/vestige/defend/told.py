"""From trials to the record: what was chosen, what became of the rest, and how it was found."""

from collections.abc import Sequence

import vestige
from vestige.case.case import Case
from vestige.case.settings import Settings
from vestige.defend.asking import Asking
from vestige.defend.choice import cheapest, headline, sentences, with_fates
from vestige.defend.questions import Asked
from vestige.defend.record import SCHEMA, Attack, DefendResult
from vestige.defend.stage import Stage
from vestige.defend.sweep import Swept


def result_of(
    swept: Swept,
    case: Case,
    asking: Asking,
    asked: Asked,
    stages: Sequence[Stage],
    settings: Settings,
    listed: Sequence[str],
) -> DefendResult:
    """The record, with the cheapest defense that holds every limit where there is one."""
    limits, cost, question = asking.limits, asking.cost, asking.question(asked)
    chosen = cheapest(swept.trials, limits, cost) if limits else None
    attacks = {
        (each.name, each.attack): Attack(each.name, each.measure, each.attack, stage.number)
        for stage in stages
        for each in stage.questions
    }
    return DefendResult(
        schema=SCHEMA,
        version=vestige.__version__,
        headline=headline(chosen, limits),
        sentences=sentences(swept.trials, chosen, limits),
        chosen=None if chosen is None else chosen.defense,
        limits=tuple(limit.expression for limit in limits),
        cost=cost,
        question=question,
        attacks=tuple(attacks.values()),
        rungs=swept.rungs,
        trials=with_fates(swept.trials, limits, chosen, question, cost),
        not_tried=swept.not_tried,
        not_asked=tuple(f"{name}: {why}" for name, why in asked.missing.items()),
        subject=case.subject,
        settings=settings,
        defenses=tuple(listed),
        task=asking.task,
        draws=asking.draws,
        halving=asking.halving,
    )
