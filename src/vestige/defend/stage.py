"""One size at which defenses are judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vestige.case.case import Case, Knowledge
from vestige.defend.defended import defended_case
from vestige.defend.question import Question, Reader
from vestige.defend.record import Reading
from vestige.defenses.defense import Defense
from vestige.encoders.metered import Metered
from vestige.types import Progress, Vectors, silent

OBSCURE = 0.5
"""The share of what is read without a defense that parts the fooled from those who read on."""


@dataclass(frozen=True)
class Judged:
    """What was read from defended vectors, and what the stranger had and asked for."""

    privacy: tuple[Reading, ...]
    draws: int
    queries: int


@dataclass(frozen=True, eq=False)
class Stage:
    """A case, the questions asked of it, readers that learned from its undefended vectors, and what these asked for."""

    number: int
    case: Case
    questions: tuple[Question, ...]
    naive: dict[str, Reader]
    queries: int

    @classmethod
    def opened(cls, number: int, case: Case, questions: Sequence[Question], progress: Progress) -> "Stage":
        """Fit the naive stranger once, for all defenses."""
        return cls(number, case, tuple(questions), *_fitted(questions, case.knowledge("same-domain"), 1, progress))

    @cached_property
    def undefended(self) -> tuple[Reading, ...]:
        """What is read without a defense, where both strangers are one."""
        targets = self.case.targets
        return tuple(self._reading(each, self.naive[each.name], targets) for each in self.questions)

    def judge(self, defense: Defense, draws: int) -> Judged:
        """Fit every attack again on defended vectors; run the naive ones on them as well."""
        behind = defended_case(self.case, defense, draws=draws)
        readers, queries = _fitted(self.questions, behind.knowledge("same-domain"), draws, silent)
        readings = tuple(self._reading(each, readers[each.name], behind.targets) for each in self.questions)
        return Judged(readings, draws, queries)

    def obscured(self, readings: Sequence[Reading]) -> bool:
        """Whether a question is closed to the naive stranger, and as open as before to the one who knows."""
        return any(map(only_obscurity, readings, self.undefended))

    def _reading(self, question: Question, reader: Reader, targets: Vectors) -> Reading:
        told = question.score(reader(targets))
        others = question.score(reader(np.roll(targets, len(targets) // 2, axis=0)))
        same = targets.shape[1] == self.case.targets.shape[1]
        naive = question.score(self.naive[question.name](targets)).leakage if same else None
        return Reading(question.name, told.leakage, naive, others.leakage, told.attack, told.prior)


def _fitted(
    questions: Sequence[Question], knowledge: Knowledge, draws: int, progress: Progress
) -> tuple[dict[str, Reader], int]:
    """A reader for each question, and how many vectors the stranger asked for, those of its pairs included."""
    meter = None if knowledge.encoder is None else Metered(knowledge.encoder)
    known = replace(knowledge, encoder=meter)
    readers = {each.name: each.fit(known, draws, progress) for each in questions}
    return readers, knowledge.auxiliary.queries + (0 if meter is None else meter.spent)


def only_obscurity(defended: Reading, undefended: Reading) -> bool:
    """Whether the naive stranger lost most of what it read, and the adaptive one less than half of it."""
    before = undefended.adaptive
    if defended.naive is None or before.low <= 0:
        return False
    return defended.naive.high < OBSCURE * before.value < defended.adaptive.low
