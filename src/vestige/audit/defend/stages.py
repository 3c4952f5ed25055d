"""The sizes at which defenses are judged, the full size last."""

from vestige.audit.case import Case
from vestige.audit.defend.asking import Asking
from vestige.audit.defend.defended import smaller
from vestige.audit.defend.limits import check_measured
from vestige.audit.defend.questions import Asked, questions_of
from vestige.audit.defend.stage import Stage
from vestige.audit.settings import Settings
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
    """A small size where the case is large enough to have one, and the full size."""
    asked = questions_of(case, keywords, attributes, settings, thorough=True)
    kept = ("recall@10", "correlation", *(() if asking.task is None else ("task",)))
    check_measured(asking.limits, (*(each.name for each in asked.questions), *kept), asked.missing)
    small = smaller(case, pairs=SMALL_PAIRS, targets=SMALL_TARGETS)
    sizes = [(small, False), (case, True)]
    if not asking.halving or len(small.auxiliary["same-domain"].texts) == len(case.auxiliary["same-domain"].texts):
        sizes = sizes[1:]
    stages = []
    for number, (each, thorough) in enumerate(sizes, 1):
        questions = questions_of(each, keywords, attributes, settings, thorough=thorough).questions
        stages.append(Stage.opened(number, each, questions, progress))
    return stages, asked
