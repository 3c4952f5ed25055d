"""What the answers of a store say of texts that it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.membership.index import IndexMembership
from vestige.case.case import Truth
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.metrics.membership.epsilon import EpsilonBound, epsilon
from vestige.metrics.membership.figures import Membership, membership
from vestige.metrics.membership.side import sides
from vestige.probes.membership_parties import Parties
from vestige.text.variants import Change
from vestige.types import Floats, Progress, Score


@dataclass(frozen=True)
class Answers:
    """The scores of target texts by their row; at the `threshold` or above, the stranger says that a text is there."""

    truth: Truth
    scores: dict[int, float]
    threshold: float
    seed: int

    def figures(self, parties: Parties) -> Membership:
        """How well members are told from others, at the stranger's own threshold."""
        return membership(
            self._of(parties.members),
            self._of(parties.others),
            member_groups=self._documents(parties.members),
            other_groups=self._documents(parties.others),
            rng=stream(self.seed, "halves"),
            threshold=self.threshold,
        )

    def proved(self, parties: Parties) -> EpsilonBound:
        """The bound on epsilon by one text of each document, since texts of one are no independent trials."""
        members, others = (self._first_of_each(rows) for rows in (parties.members, parties.others))
        ours, theirs = sides(
            self._of(members),
            self._of(others),
            member_groups=self._documents(members),
            other_groups=self._documents(others),
        )
        return epsilon(ours, theirs, stream(self.seed, "halves"), threshold=self.threshold)

    def said(self, rows: Sequence[int], *, baseline: float | None = None) -> Score:
        """The share of these texts that are said to be there."""
        called = (self._of(rows) >= self.threshold).astype(np.float64)
        return Scorer(self._documents(rows), self.seed).score(called, baseline=baseline)

    def _of(self, rows: Sequence[int]) -> Floats:
        return np.array([self.scores[row] for row in rows])

    def _documents(self, rows: Sequence[int]) -> list[str]:
        return [self.truth.documents[row] for row in rows]

    def _first_of_each(self, rows: Sequence[int]) -> list[int]:
        return list({self.truth.documents[row]: row for row in reversed(rows)}.values())


def asked(
    attack: IndexMembership,
    truth: Truth,
    rows: Sequence[int],
    change: Change,
    others: Sequence[str],
    seed: int,
    progress: Progress,
) -> Answers:
    """Ask for these target texts, each changed as the stranger may have it."""
    rng = stream(seed, "variants")
    scores = attack.infer([change(truth.texts[row], others, rng) for row in rows], progress=progress).scores
    return Answers(truth, dict(zip(rows, scores.tolist(), strict=True)), attack.threshold_, seed)
