import numpy as np
import pytest

from tests.unit.encoders.test_bag_of_words import CORPUS, _rng
from vestige.encoders.bag_of_words import HashingRecipe, TfidfRecipe
from vestige.encoders.lsa import LsaRecipe
from vestige.errors import InputError
from vestige.text.corpus import Corpus


def test_lsa_projects_on_the_singular_vectors():
    """Against numpy's own SVD of the same counts; signs are free, so cosines are compared."""
    base = TfidfRecipe()
    encoder = LsaRecipe(base, dimension=2).fit(CORPUS, rng=_rng())
    counts = base.fit(CORPUS, rng=_rng()).encode(CORPUS.texts)
    _, _, right = np.linalg.svd(counts, full_matrices=False)
    projected = counts @ right[:2].T
    expected = projected / np.linalg.norm(projected, axis=1, keepdims=True)
    found = encoder.encode(CORPUS.texts)
    assert np.allclose(found @ found.T, expected @ expected.T, atol=1e-5)


def test_lsa_has_no_more_directions_than_its_corpus():
    assert LsaRecipe(TfidfRecipe(), dimension=1000).fit(CORPUS, rng=_rng()).dimension == 3
    with pytest.raises(InputError, match="expected at least two of each for LSA"):
        LsaRecipe(HashingRecipe()).fit(Corpus("one", ["bank"]), rng=_rng())
