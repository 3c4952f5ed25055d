"""Scores of members, or of non-members, grouped by document; and the share of them that an attack calls members."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS, TAIL, clopper_pearson
from vestige.types import Flags, Floats, Integers


@dataclass(frozen=True, slots=True)
class GroupedScores:
    """One score per row; `owners` is the document of each row, as a number from 0 to `documents` - 1."""

    scores: Floats
    owners: Integers
    documents: int

    @property
    def independent(self) -> bool:
        """Whether no two rows share a document."""
        return self.documents == len(self.scores)

    def half(self, rng: np.random.Generator) -> Flags:
        """The rows of a random half of the documents."""
        chosen = np.zeros(self.documents, dtype=np.bool_)
        chosen[rng.permutation(self.documents)[: self.documents // 2]] = True
        return chosen[self.owners]


def group_scores(
    members: npt.ArrayLike, others: npt.ArrayLike, *, member_groups: Sequence[str], other_groups: Sequence[str]
) -> tuple[GroupedScores, GroupedScores]:
    """The scores of members and of non-members, checked. No document may have rows in both."""
    both = sorted(set(member_groups) & set(other_groups))
    if both:
        raise InputError(
            f"{len(both)} groups, such as {both[0]!r}, contain members and non-members; expected only one of them in "
            "each group; if they are different documents, give them different names"
        )
    return _group("members", members, member_groups), _group("non-members", others, other_groups)


def rate(called: Flags, grouped: GroupedScores) -> tuple[float, float, float]:
    """The share of rows called members, and its ends: Clopper and Pearson's, exact if each row is its own document.

    Otherwise n is reduced by the ratio of the variance between documents to that of independent rows, and by the
    Student's t correction for few documents (Korn and Graubard 1998); it never grows. If all rows are called, or none,
    nothing shows how rows of a document depend on each other, and each document counts once.
    """
    hits, sizes = (np.bincount(grouped.owners, weights=column) for column in (called, np.ones(len(called))))
    n = _effective_rows(hits.astype(np.float64), sizes.astype(np.float64))
    share = float(called.mean())
    low, high = clopper_pearson(share * n, n)
    return share, float(low), float(high)


def _group(name: str, scores: npt.ArrayLike, groups: Sequence[str]) -> GroupedScores:
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (len(groups),):
        raise InputError(
            f"scores of {name} of shape {values.shape} but {len(groups)} groups; expected one group per score"
        )
    if not np.isfinite(values).all():
        raise InputError(f"scores of {name} are not all finite; drop those rows before scoring")
    names, owners = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    if len(names) < FEWEST_DOCUMENTS:
        raise InputError(
            f"{len(names)} documents of {name} are too few for an interval; expected at least {FEWEST_DOCUMENTS}; "
            "give more"
        )
    return GroupedScores(values, owners.astype(np.int64), len(names))


def _effective_rows(hits: Floats, sizes: Floats) -> float:
    """The number of independent rows with the same variance."""
    n, documents = sizes.sum(), len(sizes)
    share = hits.sum() / n
    if share in (0, 1) or documents == n:
        return float(documents)
    between = documents / (documents - 1) * np.square(hits - share * sizes).sum() / n**2
    within = share * (1 - share) / (n - 1)
    return float(n * min(1, within / between * _student(n - 1, documents - 1))) if between else float(n)


def _student(rows: float, documents: int) -> float:
    from scipy.stats import t

    return float((t.isf(TAIL, rows) / t.isf(TAIL, documents)) ** 2)
