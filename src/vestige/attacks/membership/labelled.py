"""Which documents of the adversary were in the training data, checked."""

from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.types import Flags

FEWEST_DOCUMENTS = 2


def as_members(given: Sequence[bool] | None, documents: Sequence[str]) -> Flags:
    """A flag a sentence: both sides there, two documents each, and no document on both."""
    if given is None:
        raise InputError("a learned similarity needs labels; give `members`, or use similarity='fixed'")
    if len(given) != len(documents):
        raise InputError(f"{len(documents)} sentences but {len(given)} labels; give one a sentence")
    members = np.asarray(given)
    if members.dtype.kind != "b":
        raise InputError(f"the labels are of {members.dtype}; expected True for members and False for others")
    sides = {side: {name for name, flag in zip(documents, members, strict=True) if flag == side} for side in (1, 0)}
    both = sorted(sides[1] & sides[0])
    if both:
        raise InputError(
            f"{len(both)} documents, such as {both[0]!r}, are members in one sentence and not in another; "
            "a document was in the training data or it was not"
        )
    for side, called in ((1, "members"), (0, "others")):
        if len(sides[side]) < FEWEST_DOCUMENTS:
            raise InputError(
                f"{len(sides[side])} documents are {called}; a learned similarity needs at least {FEWEST_DOCUMENTS} "
                "of either side; label more"
            )
    return members
