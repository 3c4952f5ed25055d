"""Which texts have a near copy among other texts."""

from collections.abc import Sequence, Set

import numpy as np

from vestige.text.vocabulary import Vocabulary
from vestige.types import Flags

NEAR = 0.7
_ROWS_AT_ONCE = 512


def find_near_copies(texts: Sequence[Set[str]], others: Sequence[Set[str]]) -> Flags:
    """Whether some other text has more than 0.7 of its words in common (shared words over all words, Jaccard 1901)."""
    vocabulary = Vocabulary.build(texts, size=None)
    ours, theirs = vocabulary.indicator(texts), vocabulary.indicator(others).T.tocsc()
    sizes = np.array([len(words) for words in texts])
    other_sizes = np.array([len(words) for words in others])
    copied = np.zeros(len(texts), dtype=bool)
    for start in range(0, len(texts), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        shared = (ours[rows] @ theirs).toarray()
        union = sizes[rows, None] + other_sizes[None, :] - shared
        copied[rows] = (shared > NEAR * np.maximum(union, 1)).any(axis=1)
    return copied
