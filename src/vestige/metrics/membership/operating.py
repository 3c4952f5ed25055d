"""How many members are caught when few others may be accused (Carlini et al. 2022)."""

from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from vestige.errors import InputError
from vestige.metrics.membership.rate import rate
from vestige.metrics.membership.side import Side
from vestige.metrics.rounding import rounded
from vestige.types import Score


@dataclass(frozen=True, slots=True)
class Operating:
    """One point, as realised. Where it cannot be told both scores are None, and `reason` says why.

    `asked` is the false-positive rate asked for, `realised` the one that the threshold gives, and `tpr` the share of
    members caught, whose baseline is the realised rate.
    """

    asked: float
    realised: Score | None
    tpr: Score | None
    reason: str | None = None


def operating(members: Side, others: Side, asked: float) -> Operating:
    """Call a member every row that scores above all but the `asked` share of others, never more than that share.

    The threshold is set by the others alone, so that the interval of the TPR holds for it as it stands. That of the
    realised FPR holds too: with k of n others above it, the true rate is spread between Beta(k, n - k + 1) and
    Beta(k + 1, n - k), from which the ends are taken. Others that score the same are all accused or none. To claim
    that the true rate is no higher than asked takes more: its high end is the claim that can be made.
    """
    if not 0 < asked < 1:
        raise InputError(f"a false-positive rate of {asked}; expected one above 0 and below 1, such as 0.01")
    n = len(others.scores)
    allowed = floor(round(asked * n, 9))
    if not allowed:
        needed = ceil(round(1 / asked, 9))
        return Operating(asked, None, None, f"{n} others cannot tell a false-positive rate of {asked}; give {needed}")
    ceiling = np.sort(others.scores)[n - allowed - 1]
    realised = rounded(*rate(others.scores > ceiling, others), n, asked)
    tpr = rounded(*rate(members.scores > ceiling, members), len(members.scores), realised.value)
    return Operating(asked, realised, tpr)
