"""Means over target texts, with intervals over documents."""

import numpy as np
import pytest

from vestige.case.scorer import Scorer

DOCUMENTS = [str(row // 2) for row in range(40)]


def test_a_mean_has_its_interval_and_its_number_of_texts():
    values = np.arange(40) % 4 / 3
    score = Scorer(DOCUMENTS, 0).score(values, baseline=0.25)
    assert score.value == pytest.approx(0.5)
    assert score.low < 0.5 < score.high
    assert (score.n, score.baseline) == (40, 0.25)


def test_weights_choose_what_counts():
    weights = np.array([1.0, 0.0] * 20)
    score = Scorer(DOCUMENTS, 0).score(np.array([1.0, 0.0] * 20), weights=weights)
    assert score.value == 1


def test_an_interval_is_wider_if_the_best_was_chosen():
    scorer, values = Scorer(DOCUMENTS, 0), np.arange(40) % 4 / 3
    one, many = scorer.score(values), scorer.score(values, among=20)
    assert many.value == one.value
    assert many.low < one.low
    assert many.high > one.high


def test_a_gain_may_be_negative():
    gain = Scorer(DOCUMENTS, 0).gain(np.full(40, -0.2))
    assert gain.value == pytest.approx(-0.2)
    assert gain.baseline == 0


def test_ten_documents_are_enough_for_an_interval():
    scorer = Scorer(DOCUMENTS, 0)
    assert scorer.enough(np.array([1.0] * 20 + [0.0] * 20))
    assert not scorer.enough(np.array([1.0] * 18 + [0.0] * 22))


def test_gains_are_recorded_without_text_and_identify_the_targets():
    scorer, texts = Scorer(DOCUMENTS, 0), [f"text {row}" for row in range(40)]
    recorded = scorer.record_gains(np.arange(40) / 3, texts)
    assert recorded.gains[:2] == (0.0, 0.333333)
    assert recorded.documents[:5] == (0, 0, 1, 1, 2)
    assert recorded.digest == scorer.record_gains(np.zeros(40), texts).digest
    assert recorded.digest != scorer.record_gains(np.zeros(40), texts[::-1]).digest
