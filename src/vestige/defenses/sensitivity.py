"""How far a vector moves when one word of its text changes: estimates of the L1 sensitivity of an encoder.

An estimate is no bound: a pair that was not tried may lie further apart, and a guarantee that rests on it does not
hold.
"""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError
from vestige.types import Floats, Vectors

Estimate = Literal["largest", "mean"]


def estimated_sensitivity(
    original: npt.ArrayLike, changed: npt.ArrayLike, *, estimate: Estimate = "largest", columns: int | None = None
) -> float:
    """From the vectors of texts and, row by row, of the same texts with a word changed.

    "largest" is the greatest L1 distance, as the definition asks for (Pan et al. 2020, Appendix C, on 10,000 pairs made
    by word substitution). "mean" is the average (Chen 2023, Section 6.0.1, on 1,000 documents with their most frequent
    words removed), which many changes exceed.
    """
    check_choice("estimate", estimate, get_args(Estimate))
    distances = _distances(as_vectors(original, columns), as_vectors(changed, columns))
    found = float(distances.max() if estimate == "largest" else distances.mean())
    if not found:
        raise InputError(
            f"none of {len(distances)} changes moved its vector; expected pairs of a text and the text with a word "
            "changed; give pairs that differ"
        )
    return found


def _distances(original: Vectors, changed: Vectors) -> Floats:
    if original.shape != changed.shape or not len(original):
        raise InputError(
            f"the original vectors have shape {original.shape}, the changed ones {changed.shape}; "
            "expected one pair or more, row by row"
        )
    distances: Floats = np.abs(original.astype(np.float64) - changed).sum(axis=1)
    return distances
