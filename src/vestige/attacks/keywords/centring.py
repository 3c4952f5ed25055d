"""Two domains laid over each other: what all texts of one have in common is no trace of a keyword."""

import numpy as np

from vestige.types import Vectors

STEADY = 20


def domain_centres(vectors: Vectors, victims: Vectors) -> tuple[Vectors, Vectors]:
    """The mean of either domain; that of few victims leans on the other's, as if it were that of `STEADY` victims."""
    home = vectors.mean(axis=0)
    away = (victims.sum(axis=0) + STEADY * home) / (len(victims) + STEADY)
    return home, np.asarray(away, dtype=np.float32)
