"""What defended vectors are still good for: search, and a labelled task of the owner's."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from vestige.case.case import Case
from vestige.case.randomness import stream
from vestige.defend.record import Kept
from vestige.defenses.defense import Defense
from vestige.errors import InputError
from vestige.types import Score, Vectors
from vestige.utility.linear_probe import SHORT_GRID, LinearProbe
from vestige.utility.neighbours import neighbourhood

TABLE, QUERIES, NEAREST = 5000, 300, 10
"""Vectors that are searched, how many of them are asked for, and how many neighbours each should find again."""

LEARNED, FOLDS = 3000, 5


@dataclass(frozen=True, eq=False)
class Use:
    """The owner's vectors, targets first, as they are searched and classified; a defense moves each as it would there.

    Row by row these are the vectors that strangers are given, the noise included.
    """

    vectors: Vectors
    documents: list[str]
    targets: int
    labels: list[str | None] | None
    seed: int

    @classmethod
    def of(cls, case: Case, task: str | None, seed: int) -> "Use":
        """All targets, and of the pairs as many as are searched or learned from."""
        pairs, truth = case.auxiliary["same-domain"], case.truth
        assert truth is not None
        known = max(TABLE - len(case.targets), LEARNED)
        return cls(
            np.concatenate([case.targets, pairs.vectors[:known]]),
            [*truth.documents, *pairs.documents[:known]],
            len(case.targets),
            None if task is None else [*truth.attributes[task], *pairs.attributes[task][:known]],
            seed,
        )

    def kept(self, defense: Defense | None) -> tuple[Kept, ...]:
        """Recall of the nearest neighbours, rank correlation of cosines, and macro-F1 of the task."""
        defended = self.vectors if defense is None else defense.transform(self.vectors)
        found = neighbourhood(
            self.vectors[:TABLE],
            defended[:TABLE],
            rng=stream(self.seed, "neighbours"),
            k=NEAREST,
            queries=QUERIES,
            documents=self.documents[:TABLE],
        )
        search = {f"recall@{NEAREST}": found.recall, "correlation": found.correlation}
        if defense is None:  # Alike by definition, which needs no documents to prove it.
            search = {name: replace(score, value=1.0, low=1.0, high=1.0) for name, score in search.items()}
        kept = [Kept(name, score) for name, score in search.items()]
        return (*kept, *([] if self.labels is None else [Kept("task", self._task(defended, self.labels))]))

    def _task(self, vectors: Vectors, labels: list[str | None]) -> Score:
        """Learned from the pairs, scored on the targets."""
        common = _common(labels[self.targets :][:LEARNED])
        learned = [row for row in range(self.targets, len(labels))[:LEARNED] if labels[row] in common]
        scored = [row for row in range(self.targets) if labels[row] in common]
        if len(common) < 2 or not scored:
            raise InputError(
                f"the task has {len(common)} classes of {FOLDS} texts or more to learn from; expected two; "
                "name another column with --task"
            )
        rng = stream(self.seed, "task")
        probe = LinearProbe(grid=SHORT_GRID, folds=FOLDS)
        probe.fit(vectors[learned], [str(labels[row]) for row in learned], rng=rng)
        documents = [self.documents[row] for row in scored]
        return probe.score(vectors[scored], [str(labels[row]) for row in scored], rng=rng, documents=documents)


def _common(labels: list[str | None]) -> set[str]:
    """Classes that have a text for every fold."""
    return {label for label, count in Counter(labels).items() if label is not None and count >= FOLDS}
