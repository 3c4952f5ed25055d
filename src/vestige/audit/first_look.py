"""A first look at the words, while the rest of the pairs is still to be encoded.

The full audit attacks with all pairs. A few thousand of them give a lower bound in a fraction of the time, on the same
targets, and nothing that is encoded for it is encoded again.
"""

from dataclasses import dataclass, replace
from time import monotonic

from vestige.audit.estimate import measure_speed
from vestige.case.case import Case, Domain
from vestige.case.level import grade_leakage
from vestige.case.prepare import CasePlan
from vestige.probes.inversion_choice import compare_early, draw_compared
from vestige.probes.probe import Run
from vestige.probes.words import WordsSetup
from vestige.types import Score

DOMAIN: Domain = "same-domain"


@dataclass(frozen=True)
class FirstLook:
    """The leakage of words with a part of the pairs, and the case that was built for it.

    `speed` is how many characters were encoded per second.
    """

    case: Case
    pairs: int
    leakage: Score
    speed: float

    def __str__(self) -> str:
        value, low, high = (f"{part:.2f}" for part in (self.leakage.value, self.leakage.low, self.leakage.high))
        return (
            f"first look at words, with {self.pairs:,} pairs: leakage at least {value} ({low} to {high}), "
            f"{grade_leakage(self.leakage)}"
        )


def take_first_look(plan: CasePlan, run: Run) -> FirstLook | None:
    """Compare attacks on a part of the pairs; None if there are few anyway, or if all vectors exist already.

    The audit compares attacks on the same part, and does not repeat it.
    """
    rows = draw_compared(len(plan.known), plan.settings.seed)
    if plan.inputs.vectors is not None or len(plan.known) < 2 * len(rows):
        return None
    taken = set(rows)
    rest = [text for row, text in enumerate(plan.known.texts) if row not in taken]
    further = {**plan.further, DOMAIN: (*rest, *plan.further.get(DOMAIN, ()))}
    part = replace(plan, known=plan.known.take(rows), foreign=None, further=further)
    started = monotonic()
    case = part.build(run.progress)
    speed = measure_speed(sum(map(len, part.texts_to_encode)), monotonic() - started)
    setup = WordsSetup("words", case, DOMAIN, plan.settings, "full")
    best = compare_early(case.knowledge(DOMAIN), DOMAIN, run).fitted
    assert best is not None
    return FirstLook(case, len(rows), setup.score(best.infer(case.targets)).leakage, speed)
