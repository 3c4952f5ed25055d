"""What every attack asks of its settings and of what it is given, in one manner of words."""

from collections.abc import Collection, Sequence

from vestige.errors import InputError
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


def check_pairs(vectors: Vectors, texts: Sequence[str], documents: Sequence[str] | None) -> None:
    """As many texts, and documents where they are named, as vectors; and enough of them."""
    if len(vectors) != len(texts):
        raise InputError(f"{len(vectors)} vectors but {len(texts)} texts; fit needs one text a vector")
    if documents is not None and len(documents) != len(texts):
        raise InputError(f"{len(texts)} texts but {len(documents)} documents; fit needs the document of every text")
    if len(texts) < FEWEST_PAIRS:
        raise InputError(f"{len(texts)} pairs are too few to learn from; fit needs at least {FEWEST_PAIRS}")


def check_columns(vectors: Vectors, expected: int) -> None:
    """Targets of the encoder on whose vectors the attack was fitted."""
    if vectors.ndim != 2 or vectors.shape[1] != expected:
        raise InputError(
            f"the targets have shape {vectors.shape}, the attack was fitted on {expected} columns; "
            "give one row a text, of the same encoder"
        )
