"""The scores of one side, members or others, with the document that each came from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.types import Flags, Floats, Integers


@dataclass(frozen=True, slots=True)
class Side:
    """A score a row; `owners` says which document a row is from, as a number from 0 to `documents` - 1."""

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


def sides(
    members: npt.ArrayLike, others: npt.ArrayLike, *, member_groups: Sequence[str], other_groups: Sequence[str]
) -> tuple[Side, Side]:
    """Both sides, checked. A document is a member or it is not: one that has rows on both sides is refused."""
    both = sorted(set(member_groups) & set(other_groups))
    if both:
        raise InputError(
            f"{len(both)} groups, such as {both[0]!r}, hold members and others; expected each group on one side; "
            "if they are different documents, name them apart"
        )
    return _side("members", members, member_groups), _side("others", others, other_groups)


def _side(name: str, scores: npt.ArrayLike, groups: Sequence[str]) -> Side:
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (len(groups),):
        raise InputError(f"scores of {name} of shape {values.shape} but {len(groups)} groups; expected a score a group")
    if not np.isfinite(values).all():
        raise InputError(f"scores of {name} hold values that are not finite; leave those rows out before scoring")
    names, owners = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    if len(names) < FEWEST_DOCUMENTS:
        raise InputError(
            f"{len(names)} documents of {name} are too few for an interval; expected at least {FEWEST_DOCUMENTS}; "
            "give more"
        )
    return Side(values, owners.astype(np.int64), len(names))
