"""Word vectors that the adversary brings along: public ones, or the encoder's own vector of each single word."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Integers, Singles

WordVectors = Mapping[str, npt.NDArray[np.floating]] | tuple[Sequence[str], npt.NDArray[np.floating]]
"""A mapping from word to vector, or words and a matrix with one row per word."""


def match_words(given: WordVectors, words: Sequence[str]) -> tuple[Integers, Singles]:
    """The positions in `words` of those that have a vector, and their vectors, centred and scaled to unit spread."""
    known = dict(given) if isinstance(given, Mapping) else _pair(*given)
    places = [place for place, word in enumerate(words) if word in known]
    if not places:
        raise InputError(
            "The 'single_words' parameter must contain words of the auxiliary texts. Got none of them instead."
        )
    rows = [np.asarray(known[words[place]], np.float32) for place in places]
    if len({row.shape for row in rows}) > 1 or rows[0].ndim != 1:
        raise InputError("The 'single_words' parameter must hold vectors of one length. Got several lengths instead.")
    table = np.stack(rows)
    if not np.isfinite(table).all():
        raise InputError("The 'single_words' parameter must hold finite numbers. Got NaN or infinity instead.")
    spread = float(table.std()) or 1.0
    return np.array(places), (table - table.mean(axis=0)) / np.float32(spread)


def _pair(words: Sequence[str], matrix: npt.NDArray[np.floating]) -> dict[str, npt.NDArray[np.floating]]:
    if len(words) != len(matrix):
        raise InputError(
            "The 'single_words' parameter must have one row per word. "
            f"Got {len(words)} words and {len(matrix)} rows instead."
        )
    return dict(zip(words, matrix, strict=True))
