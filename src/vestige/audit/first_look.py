"""A first look at the words, while the rest of the pairs is still to be encoded.

The full audit attacks with all pairs. A few thousand of them give a lower bound in a fraction of the time, on the same
targets, and nothing that is encoded for it is encoded again.
"""

from dataclasses import dataclass, replace

from vestige.case.case import Case
from vestige.case.level import grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.probes.probe import Run
from vestige.probes.words import WordsSetup
from vestige.text.split import sample_rows
from vestige.types import Score

PAIRS = 3000


@dataclass(frozen=True)
class FirstLook:
    """The leakage of words with a part of the pairs, and the case that was built for it."""

    case: Case
    pairs: int
    leakage: Score

    def __str__(self) -> str:
        value, low, high = (f"{part:.2f}" for part in (self.leakage.value, self.leakage.low, self.leakage.high))
        return (
            f"first look at words, with {self.pairs:,} pairs: leakage at least {value} ({low} to {high}), "
            f"{grade_leakage(self.leakage)}"
        )


def take_first_look(plan: CasePlan, run: Run) -> FirstLook | None:
    """Attack with a part of the pairs; None if there are few anyway, or if all vectors exist already."""
    if plan.inputs.vectors is not None or len(plan.known) < 2 * PAIRS:
        return None
    rows = sample_rows(range(len(plan.known)), PAIRS, stream(plan.settings.seed, "first look"))
    case = replace(plan, known=plan.known.take(rows), foreign=None).build(run.progress)
    setup = WordsSetup("words", case, "same-domain", plan.settings, "full")
    fitted = setup.fit(case.knowledge("same-domain"), 1, run.progress)
    return FirstLook(case, len(rows), setup.score(fitted(case.targets)).leakage)
