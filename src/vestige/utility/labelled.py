"""What every probe of utility asks of vectors and their labels."""

from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.types import Vectors


def class_sizes(vectors: Vectors, labels: Sequence[str]) -> dict[str, int]:
    """How many texts each class has: a label a vector, finite vectors, two classes or more."""
    if len(vectors) != len(labels):
        raise InputError(f"{len(vectors)} vectors but {len(labels)} labels; fit needs one label a vector")
    if not np.isfinite(vectors).all():
        raise InputError("some vectors hold NaN or infinite values; leave those out")
    names, counts = np.unique(np.asarray(labels), return_counts=True)
    if len(names) < 2:
        raise InputError(f"{len(names)} classes in {len(labels)} labels; expected at least two")
    return dict(zip(names.tolist(), counts.tolist(), strict=True))
