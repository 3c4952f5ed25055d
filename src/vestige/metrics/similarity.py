"""Which texts have a near copy among others."""

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from vestige.text.vocabulary import Vocabulary

NEAR = 0.7
_ROWS_AT_ONCE = 512


def near_copies(texts: Sequence[Set[str]], others: Sequence[Set[str]]) -> npt.NDArray[np.bool_]:
    """Whether some other text shares more than 0.7 of its words (shared words over all words of both, Jaccard 1901)."""
    vocabulary = Vocabulary.build(texts, size=None)
    ours, theirs = vocabulary.indicator(texts), vocabulary.indicator(others).T.tocsc()
    sizes = np.array([len(words) for words in texts])
    other_sizes = np.array([len(words) for words in others])
    found = np.zeros(len(texts), dtype=bool)
    for start in range(0, len(texts), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        shared = (ours[rows] @ theirs).toarray()
        union = sizes[rows, None] + other_sizes[None, :] - shared
        found[rows] = (shared > NEAR * np.maximum(union, 1)).any(axis=1)
    return found
