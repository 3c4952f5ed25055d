"""How long vectors are is an encoder's habit: networks learn from vectors of length 1 on average."""

import numpy as np

from vestige.types import Vectors


def scale_of(vectors: Vectors) -> np.float32:
    """What makes vectors of length 1 on average; a network at the paper's step size learns nothing from length 50."""
    return np.float32(1 / max(float(np.linalg.norm(vectors, axis=1).mean()), 1e-12))
