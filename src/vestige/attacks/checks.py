"""What every attack asks of its settings and of what it is given, in one manner of words."""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.text.words import words
from vestige.types import Vectors

FEWEST_PAIRS = 20


def check_choice(name: str, value: object, allowed: Collection[object]) -> None:
    """A setting that takes one of a few values."""
    if value not in allowed:
        listed = " or ".join(repr(choice) for choice in allowed)
        raise InputError(f"The '{name}' parameter must be {listed}. Got {value!r} instead.")


def check_floor(name: str, value: float, floor: float) -> None:
    """A setting that may not be below its floor."""
    if not value >= floor:
        raise InputError(f"The '{name}' parameter must be at least {floor}. Got {value} instead.")


def as_vectors(given: npt.ArrayLike, columns: int | None = None) -> Vectors:
    """A table of finite numbers, one row a text; of so many `columns` where the attack was fitted on them."""
    vectors = _numbers(given)
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise InputError(f"the vectors have shape {vectors.shape}; give a table with one row a text and columns in it")
    if columns is not None and vectors.shape[1] != columns:
        raise InputError(
            f"the targets have {vectors.shape[1]} columns, the attack was fitted on {columns} columns; "
            "give vectors of the same encoder"
        )
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(broken):
        raise InputError(
            f"{len(broken)} of {len(vectors)} vectors hold NaN or infinity, the first in row {broken[0]}; "
            "an attack needs finite numbers, so leave these rows out or encode their texts again"
        )
    return vectors


def as_pairs(
    given: npt.ArrayLike, texts: Sequence[str], documents: Sequence[str] | None = None, *, fewest: int = FEWEST_PAIRS
) -> Vectors:
    """The vectors of pairs: as many texts, and documents where they are named, enough of them, and words in some."""
    vectors = as_vectors(given)
    if len(vectors) != len(texts):
        raise InputError(f"{len(vectors)} vectors but {len(texts)} texts; fit needs one text a vector")
    if documents is not None and len(documents) != len(texts):
        raise InputError(f"{len(texts)} texts but {len(documents)} documents; fit needs the document of every text")
    if len(texts) < fewest:
        raise InputError(f"{len(texts)} pairs are too few to learn from; fit needs at least {fewest}")
    if not any(map(words, texts)):
        raise InputError(f"none of {len(texts)} texts has a word; fit needs words to learn")
    return vectors


def _numbers(given: npt.ArrayLike) -> Vectors:
    try:
        found = np.asarray(given)
    except (TypeError, ValueError) as uneven:
        raise InputError(f"the vectors are no table of numbers: {uneven}; give one row a text, all as long") from uneven
    if found.dtype.kind not in "biuf":
        raise InputError(f"the vectors are no table of numbers but of {found.dtype}; give one row of numbers a text")
    with np.errstate(over="ignore"):
        return found.astype(np.float32, copy=False)
