"""The share of rows that are called members, with ends that know that rows of one document are not independent."""

import numpy as np

from vestige.metrics.clopper_pearson import TAIL, clopper_pearson
from vestige.metrics.membership.side import Side
from vestige.types import Flags, Floats


def rate(called: Flags, side: Side) -> tuple[float, float, float]:
    """The share, its low and its high end: Clopper and Pearson's, exact, where every row is a document of its own.

    Elsewhere n is divided by how much more the share varies between documents than between independent rows, and by
    what Student's t asks for so few documents (Korn and Graubard 1998); this is never a gain. Where all rows or none
    are called, nothing shows how rows hang together, and each document counts once.
    """
    hits, sizes = (np.bincount(side.owners, weights=column) for column in (called, np.ones(len(called))))
    worth = _worth(hits.astype(np.float64), sizes.astype(np.float64))
    share = float(called.mean())
    low, high = clopper_pearson(share * worth, worth)
    return share, float(low), float(high)


def _worth(hits: Floats, sizes: Floats) -> float:
    """How many independent rows these are worth."""
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
