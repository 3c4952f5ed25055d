"""How often words stand near one another."""

import numpy as np
from scipy import sparse

from vestige.encoders.words.frequent_words import FrequentWords


def cooccurrences(known: FrequentWords, window: int) -> sparse.csr_array:
    """Words by words, symmetric: each pair at most `window` words apart in one text adds 1 over its distance."""
    index = {word: row for row, word in enumerate(known.words)}
    texts = [np.array([index[word] for word in text], dtype=np.int32) for text in known.texts]
    shape = (len(known.words), len(known.words))
    ahead = sparse.csr_array(shape)
    for distance in range(1, window + 1):
        first = np.concatenate([text[:-distance] for text in texts])
        second = np.concatenate([text[distance:] for text in texts])
        shares = np.full(len(first), 1 / distance)
        ahead = ahead + sparse.coo_array((shares, (first, second)), shape=shape).tocsr()
    return (ahead + ahead.T).tocsr()
