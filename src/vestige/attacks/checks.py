"""What every attack asks of a number it is set to, and of pairs."""

from collections.abc import Sequence

import numpy.typing as npt

from vestige.checks import as_vectors
from vestige.errors import InputError
from vestige.text.words import words
from vestige.types import Vectors

FEWEST_PAIRS = 20


def check_floor(name: str, value: float, floor: float) -> None:
    """A setting that may not be below its floor."""
    if not value >= floor:
        raise InputError(f"The '{name}' parameter must be at least {floor}. Got {value} instead.")


def check_whole(name: str, value: float, floor: int) -> None:
    """A setting that counts something."""
    if value != int(value):
        raise InputError(f"The '{name}' parameter must be a whole number. Got {value} instead.")
    check_floor(name, value, floor)


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
