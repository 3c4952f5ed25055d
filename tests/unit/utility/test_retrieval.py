import numpy as np
import pytest

from vestige.errors import InputError
from vestige.utility.retrieval import score_same_document


def rng():
    return np.random.default_rng(0)


def test_twelve_pairs_of_which_three_are_apart():
    """24 texts of 12 documents. The texts of nine documents are equal, those of three are orthogonal: 18 of 24."""
    vectors = np.zeros((24, 15))
    for document in range(12):
        vectors[2 * document, document] = 1
        vectors[2 * document + 1, document if document < 9 else document + 3] = 1
    documents = [str(row // 2) for row in range(24)]
    found = score_same_document(vectors, documents, rng=rng(), k=1)
    assert found.value == 0.75
    assert found.n == 24
    assert found.baseline == pytest.approx(1 / 23, abs=1e-6)


def test_by_chance_three_of_ten_others_contain_one_of_two_siblings():
    """Each text has two siblings among 32 others: 1 - C(30, 3) / C(32, 3) = 1 - 4060 / 4960."""
    documents = [str(row // 3) for row in range(33)]
    found = score_same_document(rng().standard_normal((33, 4)), documents, rng=rng(), k=3)
    assert found.baseline == pytest.approx(1 - 4060 / 4960, abs=1e-6)


def test_texts_without_a_sibling_are_not_queried():
    vectors = np.repeat(np.eye(20), 2, axis=0)
    documents = [str(row // 2) if row < 20 else f"alone {row}" for row in range(40)]
    found = score_same_document(vectors, documents, rng=rng(), k=1)
    assert (found.value, found.n) == (1, 20)
    assert score_same_document(vectors, documents, rng=rng(), k=1, queries=18).n == 18


def test_too_few_documents_give_none_and_a_wrong_k_is_refused():
    vectors = np.eye(18)
    assert score_same_document(vectors, [str(row // 2) for row in range(18)], rng=rng()) is None
    with pytest.raises(InputError, match=r"'k' parameter must be from 1 to 17. Got 18"):
        score_same_document(vectors, ["a"] * 18, rng=rng(), k=18)
