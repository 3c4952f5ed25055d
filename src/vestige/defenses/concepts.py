"""What a defense is to hide: the class of each text, or which of some keywords it holds."""

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Floats, Integers


def as_concepts(labels: npt.ArrayLike, rows: int) -> Integers:
    """Class numbers, a column a concept, from n labels or from a table of flags with a column a keyword."""
    given = np.asarray(labels)
    table = given[:, None] if given.ndim == 1 else given
    if table.ndim != 2 or len(table) != rows or not table.shape[1]:
        raise InputError(
            f"{rows} vectors but labels of shape {given.shape}; give one label, or one row of flags, a vector"
        )
    if any(label is None or label != label for label in table.ravel().tolist()):
        raise InputError("some labels are missing (None or NaN); leave these rows out, or give them a class")
    columns = [np.unique(column.astype(np.str_), return_inverse=True)[1] for column in table.T]
    for place, column in enumerate(columns):
        if not column.any():
            raise InputError(
                f"column {place} of the labels has one class; there is nothing to hide; expected two or more"
            )
    return np.stack(columns, axis=1)


def members(concepts: Integers) -> Floats:
    """A column a class of each concept: 1 where a row belongs to it."""
    return np.hstack([np.eye(column.max() + 1)[column] for column in concepts.T])
