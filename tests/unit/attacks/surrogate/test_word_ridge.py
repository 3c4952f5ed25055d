"""Words by ridge regression on texts in the private space."""

import numpy as np
import pytest
from scipy import sparse

from vestige.attacks.surrogate.queried_pool import QueriedPool, WeighedDocuments
from vestige.attacks.surrogate.word_ridge import RidgeData, WordRidge


def pool(vectors, weights, queried=()):
    """A pool whose documents were queried in these rows."""
    rows = np.array(queried, dtype=np.int64)
    nothing = WeighedDocuments(np.empty((0, vectors.shape[1]), np.float32), sparse.csr_array((0, weights.shape[1])))
    return QueriedPool(vectors, WeighedDocuments(vectors, sparse.csr_array(weights)), rows, vectors[rows], nothing)


def test_texts_in_one_place_have_no_directions():
    data = RidgeData.build(pool(np.ones((4, 3), np.float32), np.eye(4)), np.ones((4, 3), np.float32), lambda v: v)
    assert (data.directions(np.arange(4), 0.1) == 0).all()


def test_each_word_is_found_where_documents_are_their_words():
    vectors = np.eye(4, dtype=np.float32)[np.arange(80) % 4]
    weights = np.eye(4)[np.arange(80) % 4]
    known = pool(vectors, weights, queried=range(40))
    ranker = WordRidge.fit(known, np.eye(4, dtype=np.float32), lambda v: v)
    chances = ranker.chances(np.eye(4, dtype=np.float32))
    assert chances.sum(axis=1) == pytest.approx(1)
    assert chances.argmax(axis=1).tolist() == [0, 1, 2, 3]
