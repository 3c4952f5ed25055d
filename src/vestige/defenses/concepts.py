"""The concepts that a defense hides, such as the class of a text or its keywords, and how vectors vary by class."""

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Floats, Integers, Vectors

_NEGLIGIBLE = 1e-7
"""A direction in which class means differ by less than this, relative to the length of a vector, is rounding error."""


def as_concepts(labels: npt.ArrayLike, rows: int) -> Integers:
    """Class numbers, one column per concept, from n labels or from a table of flags with one column per keyword."""
    given = np.asarray(labels)
    table = given[:, None] if given.ndim == 1 else given
    if table.ndim != 2 or len(table) != rows or not table.shape[1]:
        raise InputError(
            f"{rows} vectors but labels of shape {given.shape}; give one label, or one row of flags, per vector"
        )
    if any(label is None or label != label for label in table.ravel().tolist()):
        raise InputError("some labels are missing (None or NaN); drop these rows, or give them a class")
    columns = [np.unique(column.astype(np.str_), return_inverse=True)[1] for column in table.T]
    for place, column in enumerate(columns):
        if not column.any():
            raise InputError(
                f"column {place} of the labels has one class; there is nothing to hide; expected two or more"
            )
    return np.stack(columns, axis=1)


def class_indicators(concepts: Integers) -> Floats:
    """One column per class of each concept: 1 for the rows that belong to it."""
    return np.hstack([np.eye(column.max() + 1)[column] for column in concepts.T])


def between_class_directions(vectors: Vectors, concepts: Integers) -> Floats:
    """Orthonormal directions, one per row, in which the class means differ."""
    belongs, centred = class_indicators(concepts), _centre(vectors)
    _, lengths, directions = np.linalg.svd(_class_means(centred, belongs), full_matrices=False)
    differing: Floats = directions[lengths > _NEGLIGIBLE * np.linalg.norm(centred, axis=1).mean()]
    return differing


def within_class_scatter(vectors: Vectors, concepts: Integers) -> Floats:
    """The sum of the covariances around the class means: means of squares minus squares of means."""
    belongs, centred = class_indicators(concepts), _centre(vectors)
    weights = (belongs / belongs.sum(axis=0)).sum(axis=1)
    means = _class_means(centred, belongs)
    scatter: Floats = (centred * weights[:, None]).T @ centred - means.T @ means
    return scatter


def _centre(vectors: Vectors) -> Floats:
    centred: Floats = vectors - vectors.mean(axis=0, dtype=np.float64)
    return centred


def _class_means(centred: Floats, belongs: Floats) -> Floats:
    means: Floats = belongs.T @ centred / belongs.sum(axis=0)[:, None]
    return means
