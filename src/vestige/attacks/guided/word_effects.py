"""What each word does to a vector, as a sum: crude, but it costs no query for a text."""

import numpy as np
from scipy import sparse

from vestige.attacks.sparse_ridge import sparse_ridge
from vestige.types import Vectors

MAP_PENALTY, WORD_PENALTY = 1.0, 1.0


def word_effects(vectors: Vectors, counts: sparse.csr_array, alone: Vectors) -> Vectors:
    """The effect of each word, such that a text's vector is the mean plus their sum over the root of its length.

    `alone` has the vectors of the words by themselves. Two ridge regressions: one matrix that takes every word's own
    vector to its effect, and for each word what is left, which is little for a word that is seldom seen. Divided by
    the length or not at all, the sum explains less of unseen texts.
    """
    lengths = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    scaled = sparse.csr_array(sparse.diags_array((1 / np.sqrt(lengths)).astype(np.float32)) @ counts)
    centred = vectors - vectors.mean(axis=0)
    summed = np.asarray(scaled @ alone, dtype=np.float32)
    penalty = MAP_PENALTY * np.eye(summed.shape[1], dtype=np.float32)
    shared = np.linalg.solve(summed.T @ summed + penalty, summed.T @ centred)
    own = sparse_ridge(scaled, centred - summed @ shared, WORD_PENALTY)
    return np.asarray(alone @ shared + own, dtype=np.float32)
