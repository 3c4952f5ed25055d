"""What the rivals ask of the pairs that they learn from."""

import numpy as np
import numpy.typing as npt

from vestige.attacks.scale import scale_of
from vestige.checks import as_vectors
from vestige.errors import InputError
from vestige.text.importance.record import Importance
from vestige.types import Vectors

FEWEST_PAIRS = 5


def as_weighed(given: npt.ArrayLike, importance: Importance) -> Vectors:
    """Vectors of documents whose importance is known: as many as there are documents."""
    vectors = as_vectors(given)
    if len(vectors) != len(importance):
        raise InputError(
            f"{len(vectors)} vectors but {len(importance)} documents with importance; fit needs one a vector"
        )
    return vectors


def as_labelled(given: npt.ArrayLike, importance: Importance) -> Vectors:
    """The same for pairs: enough of them, and some word that matters."""
    vectors = as_weighed(given, importance)
    if len(vectors) < FEWEST_PAIRS:
        raise InputError(f"{len(vectors)} pairs are too few to learn from; fit needs at least {FEWEST_PAIRS}")
    if not importance.weights.nnz:
        raise InputError(f"none of {len(vectors)} documents holds a word of the vocabulary; fit needs words to learn")
    return vectors


def as_others(given: npt.ArrayLike, what: str, columns: int | None = None) -> Vectors:
    """Some further vectors; with `columns`, of length 1 on average, and filled up with zeros or cut to so many.

    The columns of two encoders have nothing to do with each other, in the paper neither.
    """
    vectors = as_vectors(given)
    if not len(vectors):
        raise InputError(f"there are no {what}; fit needs some to learn from")
    if columns is None:
        return vectors
    vectors = vectors * scale_of(vectors)
    kept = vectors[:, :columns]
    return np.pad(kept, ((0, 0), (0, columns - kept.shape[1])))


def check_same_words(pairs: Importance, external: Importance) -> None:
    """One vocabulary for both."""
    if pairs.words != external.words:
        raise InputError(
            f"pairs are weighed over {len(pairs.words)} words, external documents over {len(external.words)} others; "
            "weigh both with one vocabulary"
        )
