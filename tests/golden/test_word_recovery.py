"""Values computed by hand."""

from math import log

import pytest

from vestige.errors import InputError
from vestige.metrics.word_recovery import rarity, word_recovery

TRUTH = [{"cat", "sat", "mat"}, {"dog"}]
GUESSED = [{"cat", "mat", "hat", "rat"}, {"dog", "log"}]


def test_precision_is_of_the_guess_and_recall_of_the_truth():
    # Two of four guesses are right, two of three words are found; then one of two, and one of one.
    scores = word_recovery(GUESSED, TRUTH)
    assert scores.precision.tolist() == pytest.approx([0.5, 0.5])
    assert scores.recall.tolist() == pytest.approx([2 / 3, 1.0])
    assert scores.f1.tolist() == pytest.approx([4 / 7, 2 / 3])


def test_the_mean_is_over_texts_not_over_pooled_words():
    # Pooled F1 would be 2 * 3 / (6 + 4) = 0.6; the mean over texts is (4/7 + 2/3) / 2 = 13/21.
    assert word_recovery(GUESSED, TRUTH).f1.mean() == pytest.approx(13 / 21)


def test_rarity_follows_equation_4_8():
    weight = rarity([{"cat", "sat"}, {"cat"}, {"dog"}])
    assert weight("cat") == pytest.approx(log(4 / 3))
    assert weight("dog") == pytest.approx(log(4 / 2))
    assert weight("unseen") == pytest.approx(log(4 / 1))


def test_weighted_scores_follow_equation_4_7():
    weights = {"cat": 1.0, "sat": 2.0, "mat": 4.0, "hat": 3.0, "rat": 0.5}
    scores = word_recovery([{"cat", "mat", "hat", "rat"}], [{"cat", "sat", "mat"}], weights.__getitem__)
    # Correct: cat 1 + mat 4 = 5; guessed: 1 + 4 + 3 + 0.5 = 8.5; true: 1 + 2 + 4 = 7.
    assert scores.precision[0] == pytest.approx(5 / 8.5)
    assert scores.recall[0] == pytest.approx(5 / 7)
    assert scores.f1[0] == pytest.approx(2 * 5 / (8.5 + 7))


def test_equal_weights_are_no_weights():
    plain, weighted = word_recovery(GUESSED, TRUTH), word_recovery(GUESSED, TRUTH, lambda _: 3.0)
    assert weighted.f1.tolist() == pytest.approx(plain.f1.tolist())


def test_an_empty_guess_scores_zero():
    scores = word_recovery([set()], [{"cat"}])
    assert (scores.precision[0], scores.recall[0], scores.f1[0]) == (0, 0, 0)


def test_a_text_without_words_is_refused():
    with pytest.raises(InputError, match="cannot be scored"):
        word_recovery([{"cat"}], [set()])


def test_a_text_of_words_with_weight_zero_is_not_counted():
    # "the" occurs in both targets, so it weighs log(3/3) = 0: in the second text there is nothing to recover.
    truth = [{"the", "cat"}, {"the"}]
    scores = word_recovery([{"cat"}, {"the"}], truth, rarity(truth))
    assert scores.counted.tolist() == [1, 0]
    assert scores.f1[0] == 1.0


def test_counts_that_differ_are_refused():
    with pytest.raises(InputError, match="2 guesses but 1"):
        word_recovery([{"cat"}, {"dog"}], [{"cat"}])
