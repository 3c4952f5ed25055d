"""The utility of defended vectors: search, and a labelled task of the owner."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from vestige.case.case import Case
from vestige.case.randomness import stream
from vestige.defend.record import UtilityScore
from vestige.defend.recorded import RecordedMap
from vestige.defenses.defense import Defense
from vestige.errors import InputError
from vestige.types import Score, Vectors
from vestige.utility.linear_probe import SHORT_GRID, LinearProbe
from vestige.utility.neighbours import neighbourhood

TABLE, QUERIES, NEAREST = 5000, 300, 10
"""Vectors that are searched, how many of them are queries, and how many neighbours each should find again."""

LEARNED, FOLDS = 3000, 5


@dataclass(frozen=True, eq=False)
class UtilityTask:
    """The owner's vectors, targets first, as they are searched and classified.

    Row by row these are the vectors that adversaries receive, noise included. Queries are treated as the defense treats
    search queries: where it adds noise to the rows of a store, it adds none to them.
    """

    vectors: Vectors
    documents: list[str]
    targets: int
    labels: list[str | None] | None
    seed: int

    @classmethod
    def build(cls, case: Case, task: str | None, seed: int) -> "UtilityTask":
        """All targets, and as many of the pairs as are searched or learned from."""
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

    def score(self, defense: Defense | None) -> tuple[UtilityScore, ...]:
        """Recall of the nearest neighbours, rank correlation of cosines, and macro-F1 of the task."""
        defended = self.vectors if defense is None else defense.transform(self.vectors)
        neighbours = neighbourhood(
            self.vectors[:TABLE],
            defended[:TABLE],
            rng=stream(self.seed, "neighbours"),
            k=NEAREST,
            queries=QUERIES,
            documents=self.documents[:TABLE],
            defended_queries=None if defense is None else defense.transform_queries(self.vectors[:TABLE]),
            metric=defense.metric if isinstance(defense, RecordedMap) else "cosine",
        )
        search = {f"recall@{NEAREST}": neighbours.recall, "correlation": neighbours.correlation}
        if defense is None:  # Equal by definition, however many documents there are.
            search = {name: replace(score, value=1.0, low=1.0, high=1.0) for name, score in search.items()}
        scores = [UtilityScore(name, score) for name, score in search.items()]
        return (
            *scores,
            *([] if self.labels is None else [UtilityScore("task", self._score_task(defended, self.labels))]),
        )

    def _score_task(self, vectors: Vectors, labels: list[str | None]) -> Score:
        """Macro-F1 of a classifier that is fitted on the pairs and scored on the targets."""
        common = _list_common(labels[self.targets :][:LEARNED])
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


def _list_common(labels: list[str | None]) -> set[str]:
    """Classes with a text for every fold."""
    return {label for label, count in Counter(labels).items() if label is not None and count >= FOLDS}
