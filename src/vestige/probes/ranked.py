"""Examples at fixed places of the ranking, so that nobody picked them."""

from collections.abc import Iterator
from math import floor

import numpy as np

from vestige.types import Floats

PLACES = {
    "at the 95th percentile": 0.95,
    "at the 75th percentile": 0.75,
    "at the median": 0.5,
    "at the 25th percentile": 0.25,
    "at the 5th percentile": 0.05,
}


def ranked_examples(scores: Floats) -> Iterator[tuple[str, int]]:
    """Where it stands, and the row of the text that stands there."""
    ranking = np.argsort(scores, kind="stable")
    for label, share in PLACES.items():
        yield label, int(ranking[floor(share * (len(scores) - 1))])
