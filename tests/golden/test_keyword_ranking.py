from math import log2

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import ndcg_score

from vestige.errors import InputError
from vestige.metrics.keyword_ranking import keyword_ranking, ndcg_at, precision_at
from vestige.text.importance import Importance

WORDS = ("bank", "card", "debt", "loan", "rate")
TRUTH = Importance(WORDS, sparse.csr_array(np.array([[0.8, 0.0, 0.6, 0.0, 0.2]])))


def ranking(*words: str) -> list[list[tuple[str, float]]]:
    return [[(word, 1.0 - place / 10) for place, word in enumerate(words)]]


def test_values_by_hand():
    ranked = ranking("debt", "card", "bank")
    assert precision_at(ranked, TRUTH, 2) == [1 / 2]
    assert precision_at(ranked, TRUTH, 3) == [2 / 3]
    assert ndcg_at(ranked, TRUTH, 2) == pytest.approx([0.6 / (0.8 + 0.6 / log2(3))])
    assert ndcg_at(ranked, TRUTH, 3) == pytest.approx([(0.6 + 0.8 / 2) / (0.8 + 0.6 / log2(3) + 0.2 / 2)])


def test_the_weightiest_words_alone_may_count():
    truth = Importance(WORDS, sparse.csr_array(np.array([[0.8, 0.2, 0.6, 0.0, 0.2]])))
    assert precision_at(ranking("rate", "bank"), truth, 2) == [1]
    assert precision_at(ranking("rate", "bank"), truth, 2, relevant="weightiest") == [1 / 2]
    assert precision_at(ranking("card", "rate", "loan"), truth, 3, relevant="weightiest") == [1 / 3]
    assert truth.weights.nnz == 4
    with pytest.raises(InputError, match="'relevant' parameter must be 'held' or 'weightiest'"):
        precision_at(ranking("bank"), truth, 2, relevant="best")


def test_all_words_in_order_are_perfect_and_words_not_given_are_misses():
    assert ndcg_at(ranking("bank", "debt", "rate"), TRUTH, 3) == pytest.approx([1])
    assert precision_at(ranking("bank", "debt", "rate"), TRUTH, 3) == [1]
    assert precision_at(ranking("bank"), TRUTH, 5) == [1 / 5]
    assert ndcg_at(ranking("bank", "debt", "rate"), TRUTH, 5) == pytest.approx([1])
    assert precision_at(ranking("unheard", "bank"), TRUTH, 2) == [1 / 2]


@pytest.mark.parametrize("k", [1, 5, 10, 15])
def test_ndcg_is_that_of_scikit_learn(k):
    rng = np.random.default_rng(k)
    truth = rng.random((40, 30)) * (rng.random((40, 30)) < 0.3)
    truth[:, 0] = 0.5
    scores = rng.random((40, 30))
    words = tuple(f"w{column}" for column in range(30))
    ranked = [[(words[column], 0.0) for column in np.argsort(-row)] for row in scores]
    found = ndcg_at(ranked, Importance(words, sparse.csr_array(truth)), k)
    assert found.mean() == pytest.approx(ndcg_score(truth, scores, k=k))


def test_scores_carry_an_interval_by_document():
    truth = Importance(WORDS, sparse.csr_array(np.tile(TRUTH.weights.toarray(), (24, 1))))
    ranked = 12 * ranking("bank", "debt") + 12 * ranking("card", "loan")
    alone = keyword_ranking(ranked, truth, rng=np.random.default_rng(0), depths=[2])[2]
    pairs = keyword_ranking(
        ranked, truth, rng=np.random.default_rng(0), documents=[str(row // 2) for row in range(24)], depths=[2]
    )[2]
    assert alone.precision.value == alone.ndcg.value == pairs.precision.value == 0.5
    assert alone.precision.n == 24
    assert pairs.precision.low < alone.precision.low < 0.5 < alone.precision.high < pairs.precision.high


@pytest.mark.parametrize(
    ("ranked", "k", "message"),
    [
        (ranking("bank", "bank"), 2, "repeats a word"),
        ([], 2, "0 rankings but 1 documents"),
        (ranking("bank"), 0, "at least 1"),
    ],
)
def test_what_cannot_be_scored_is_refused(ranked, k, message):
    with pytest.raises(InputError, match=message):
        precision_at(ranked, TRUTH, k)


def test_a_document_without_important_words_is_refused():
    empty = Importance(WORDS, sparse.csr_array((1, 5)))
    with pytest.raises(InputError, match="contain no word of the vocabulary"):
        ndcg_at(ranking("bank"), empty, 5)
