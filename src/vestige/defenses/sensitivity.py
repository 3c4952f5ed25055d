"""How far a vector moves when one word of its text changes: estimates of the L1 sensitivity of an encoder.

An estimate is no bound: a pair that was not tried may lie further apart, and a guarantee that rests on it does not
hold.
"""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from vestige.defenses.checks import as_vectors, check_choice
from vestige.errors import InputError
from vestige.types import Floats

Estimate = Literal["largest", "mean"]


def estimated_sensitivity(original: npt.ArrayLike, changed: npt.ArrayLike, *, estimate: Estimate = "largest") -> float:
    """From the vectors of texts and, row by row, of the same texts with a word changed.

    "largest" is the greatest L1 distance, as the definition asks for (Pan et al. 2020, Appendix C, on 10,000 pairs made
    by word substitution). "mean" is the average (Chen 2023, Section 6.0.1, on 1,000 documents with their most frequent
    words removed), which half of all changes exceed.
    """
    check_choice("estimate", estimate, get_args(Estimate))
    distances = _distances(original, changed)
    found = float(distances.max() if estimate == "largest" else distances.mean())
    if not found:
        raise InputError(
            f"none of {len(distances)} changes moved its vector; expected pairs of a text and the text with a word "
            "changed; give pairs that differ"
        )
    return found


def _distances(original: npt.ArrayLike, changed: npt.ArrayLike) -> Floats:
    first, second = as_vectors(original), as_vectors(changed)
    if first.shape != second.shape or not len(first):
        raise InputError(
            f"the original vectors have shape {first.shape}, the changed ones {second.shape}; "
            "expected one pair or more, row by row"
        )
    distances: Floats = np.abs(first.astype(np.float64) - second).sum(axis=1)
    return distances
