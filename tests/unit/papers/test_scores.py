"""Averages by hand."""

import pytest

from vestige.papers.scores import TargetWords, score_averages, score_by_text, score_by_text_and_rarity

WORDS = [frozenset({"cat", "sat", "mat"}), frozenset({"dog"})] * 10
GUESSED = [{"cat", "mat", "hat", "rat"}, {"dog", "log"}] * 10
TRUTH = TargetWords(WORDS, [str(row) for row in range(20)], 0)


def test_the_f1_of_averages_is_not_the_average_of_f1():
    # Precision 1/2 twice, recall 2/3 and 1; the harmonic mean of 1/2 and 5/6 is 5/8, the mean of 4/7 and 2/3 is 13/21.
    precision, recall, f1 = score_averages(GUESSED, TRUTH)
    assert (precision.value, recall.value) == pytest.approx((1 / 2, 5 / 6), abs=1e-6)
    assert f1.value == pytest.approx(5 / 8, abs=1e-6)
    assert f1.low <= f1.value <= f1.high
    assert f1.n == 20
    assert score_by_text(GUESSED, TRUTH)[2].value == pytest.approx(13 / 21, abs=1e-6)


def test_rare_words_may_count_more():
    plain = score_by_text_and_rarity(GUESSED, TRUTH)
    assert plain[:3] == score_by_text(GUESSED, TRUTH)
    # Half the texts hold each true word, and none the others: log(21/11) against log(21/1).
    from math import log

    worth, strange = log(21 / 11), log(21)
    assert plain[3].value == pytest.approx(
        (2 * worth / (2 * worth + 2 * strange) + worth / (worth + strange)) / 2, abs=1e-6
    )


def test_nothing_found_is_zero_and_not_an_error():
    assert [score.value for score in score_averages([set()] * 20, TRUTH)] == [0.0, 0.0, 0.0]


def test_texts_without_words_are_not_scored():
    few = TRUTH.among({"dog"})
    assert score_averages(GUESSED, few)[0].n == 10
    assert score_by_text(GUESSED, few)[1].value == 1.0
