"""Input checks that every attack shares: numeric settings, and (text, vector) pairs."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse

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


def as_table(given: npt.ArrayLike, columns: int | None = None) -> Vectors:
    """As `vestige.checks.as_vectors`; a sparse table is checked in the same way and becomes a CSR table of float32."""
    if not issparse(given):
        return as_vectors(given, columns)
    table = csr_array(given, dtype=np.float32)
    as_vectors(table.data[:, None] if table.nnz else np.zeros((0, 1)))
    if columns is not None and table.shape[1] != columns:
        raise InputError(
            f"the vectors have {table.shape[1]} columns, and fit was given {columns} columns; "
            "use vectors of the same encoder, or fit again"
        )
    return cast("Vectors", table)


def as_pairs(
    given: npt.ArrayLike,
    texts: Sequence[str],
    documents: Sequence[str] | None = None,
    *,
    fewest: int = FEWEST_PAIRS,
    sparse: bool = False,
) -> Vectors:
    """The vectors of pairs, once they match the texts and the documents, are enough, and some text has a word.

    Where the attack takes `sparse` tables too, one stays as it is.
    """
    if issparse(given) and not sparse:
        as_vectors(given)
    vectors = as_table(given)
    if vectors.shape[0] != len(texts):
        raise InputError(f"{vectors.shape[0]} vectors but {len(texts)} texts; fit needs one text per vector")
    if documents is not None and len(documents) != len(texts):
        raise InputError(f"{len(texts)} texts but {len(documents)} documents; fit needs the document of every text")
    if len(texts) < fewest:
        raise InputError(f"{len(texts)} pairs are too few to learn from; fit needs at least {fewest}")
    if not any(map(words, texts)):
        raise InputError(f"none of {len(texts)} texts has a word; fit needs words to learn")
    return vectors
