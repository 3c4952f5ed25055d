"""Input checks that every attack shares: numeric settings, and (text, vector) pairs."""

from collections.abc import Sequence

import numpy.typing as npt

from vestige.checks import as_vectors
from vestige.errors import InputError
from vestige.text.words import words
from vestige.types import Vectors

FEWEST_PAIRS = 20


def check_floor(name: str, value: float, floor: float) -> None:
    """Refuse a setting below its floor."""
    if not value >= floor:
        raise InputError(f"The '{name}' parameter must be at least {floor}. Got {value} instead.")


def check_whole(name: str, value: float, floor: int) -> None:
    """Refuse a count that is not a whole number or is below its floor."""
    if value != int(value):
        raise InputError(f"The '{name}' parameter must be a whole number. Got {value} instead.")
    check_floor(name, value, floor)


def as_pairs(
    given: npt.ArrayLike, texts: Sequence[str], documents: Sequence[str] | None = None, *, fewest: int = FEWEST_PAIRS
) -> Vectors:
    """The vectors of pairs, once they match the texts and the documents, are enough, and some text has a word."""
    vectors = as_vectors(given)
    if len(vectors) != len(texts):
        raise InputError(f"{len(vectors)} vectors but {len(texts)} texts; fit needs one text per vector")
    if documents is not None and len(documents) != len(texts):
        raise InputError(f"{len(texts)} texts but {len(documents)} documents; fit needs the document of every text")
    if len(texts) < fewest:
        raise InputError(f"{len(texts)} pairs are too few to learn from; fit needs at least {fewest}")
    if not any(map(words, texts)):
        raise InputError(f"none of {len(texts)} texts has a word; fit needs words to learn")
    return vectors
