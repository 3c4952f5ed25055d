"""Where the word vectors of a dual encoder start: at random, or from which words share sentences."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from vestige.encoders.dual.choices import Start

PASSES = 2


def first_words(
    texts: Sequence[Sequence[int]], count: int, dimension: int, start: Start, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """One row a word, its length in proportion to how rare the word is; the median row has length root(dimension).

    Directions are random, or the right singular vectors of the tf-idf matrix of the sentences (latent semantic
    analysis), by which words that keep the same company begin as neighbours. Random as well where sentences or words
    are fewer than the dimension.
    """
    present = _indicator(texts, count)
    rarity = np.log(len(texts) / np.maximum(present.sum(axis=0), 1)).clip(min=0.1)
    drawn = start == "random" or dimension > min(present.shape)
    directions = _drawn(count, dimension, rng) if drawn else _singular(present, rarity, dimension, rng)
    lengths = np.linalg.norm(directions, axis=1).clip(min=1e-6)
    scale = np.sqrt(dimension) * rarity / np.median(rarity)
    return np.asarray(directions * (scale / lengths)[:, None], dtype=np.float32)


def _drawn(count: int, dimension: int, rng: np.random.Generator) -> npt.NDArray[np.floating]:
    return rng.standard_normal((count, dimension))


def _indicator(texts: Sequence[Sequence[int]], count: int) -> sparse.csr_array:
    rows = [sorted(set(text)) for text in texts]
    columns = np.concatenate(rows)
    bounds = np.cumsum([0, *map(len, rows)])
    return sparse.csr_array((np.ones(len(columns), dtype=np.float32), columns, bounds), shape=(len(texts), count))


def _singular(
    present: sparse.csr_array, rarity: npt.NDArray[np.floating], dimension: int, rng: np.random.Generator
) -> npt.NDArray[np.floating]:
    from sklearn.preprocessing import normalize
    from sklearn.utils.extmath import randomized_svd

    weighed = normalize(present @ sparse.diags_array(rarity.astype(np.float32)))
    _, _, right = randomized_svd(weighed, dimension, n_iter=PASSES, random_state=int(rng.integers(2**32)))
    singular: npt.NDArray[np.floating] = right.T
    return singular
