"""The sizes at which defenses are judged, the full size last."""

from collections.abc import Callable
from functools import partial

from vestige.case.case import Case
from vestige.case.settings import Settings
from vestige.defend.asking import Asking
from vestige.defend.defended import smaller
from vestige.defend.limits import check_measured
from vestige.defend.questions import Asked, check_any, questions_of
from vestige.defend.stage import Stage
from vestige.types import Progress

SMALL_PAIRS, SMALL_TARGETS = 3000, 500


def stages_of(
    case: Case,
    keywords: tuple[str, ...],
    attributes: tuple[str, ...],
    asking: Asking,
    settings: Settings,
    progress: Progress,
) -> tuple[list[Stage], Asked]:
    """A small size where there is one at which the same can be asked, and the full size."""
    ask = partial(questions_of, keywords=keywords, attributes=attributes, settings=settings)
    asked = ask(case, thorough=True)
    check_any(asked)
    kept = ("recall@10", "correlation", *(() if asking.task is None else ("task",)))
    missing = {"task": "no task was named (--task)", **asked.missing}
    check_measured(asking.limits, (*(each.name for each in asked.questions), *kept), missing)
    large = len(case.auxiliary["same-domain"].texts) > SMALL_PAIRS
    small = _small(case, asked, partial(ask, thorough=False)) if asking.halving and large else None
    sizes = [*([] if small is None else [small]), (case, asked)]
    return [Stage.opened(place, each, own.questions, progress) for place, (each, own) in enumerate(sizes, 1)], asked


def _small(case: Case, asked: Asked, ask: Callable[[Case], Asked]) -> tuple[Case, Asked] | None:
    """Fewer pairs, and fewer targets where these are enough, so that figures of both sizes are of the same things."""
    for targets in sorted({min(SMALL_TARGETS, len(case.targets)), len(case.targets)}):
        small = smaller(case, pairs=SMALL_PAIRS, targets=targets)
        again = ask(small)
        if again.tested == asked.tested:
            return small, again
    return None
