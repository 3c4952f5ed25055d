"""From words with scores, text by text, to a table of weights."""

from collections.abc import Iterable, Mapping

import numpy as np
from scipy import sparse

from vestige.text.importance.record import Importance
from vestige.text.importance.vocabulary import ImportantWords


def tabulated(vocabulary: ImportantWords, scored: Iterable[Mapping[str, float]]) -> Importance:
    """Scores above 0 of words of the vocabulary, a row a text."""
    index = {word: column for column, word in enumerate(vocabulary.words)}
    rows = [
        sorted((index[word], score) for word, score in text.items() if word in index and score > 0) for text in scored
    ]
    cells = [cell for row in rows for cell in row]
    columns = np.array([column for column, _ in cells], dtype=np.int32)
    weights = np.array([score for _, score in cells], dtype=np.float32)
    table = sparse.csr_array((weights, columns, np.cumsum([0, *map(len, rows)])), shape=(len(rows), len(index)))
    return Importance(vocabulary.words, table, vocabulary.tagged)
