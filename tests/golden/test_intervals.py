"""Intervals against values computed by hand, from tables, and and against a second computation."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.metrics.intervals import DRAWS, _widening, document_mean, mean_of_runs, proportion
from vestige.types import Score


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # With no hit the exact upper end is 1 - 0.025^(1/n); with all hits the lower end is 0.025^(1/n).
        (0, 10, 0.0, 1 - 0.025**0.1),
        (10, 10, 0.025**0.1, 1.0),
        # Clopper and Pearson's chart: 5 of 10.
        (5, 10, 0.1871, 0.8129),
    ],
)
def test_clopper_pearson(hits, n, low, high):
    score = proportion(hits, n)
    assert (score.value, score.n) == (hits / n, n)
    assert score.low == pytest.approx(low, abs=1e-4)
    assert score.high == pytest.approx(high, abs=1e-4)


def test_the_mean_is_the_mean_over_texts():
    values = [1.0, 0.0, 0.5, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    documents = ["a", "a", *"bcdefghijk"]
    score = document_mean(values, documents, np.random.default_rng(0), baseline=0.2)
    assert score.value == pytest.approx(0.5)
    assert (score.n, score.baseline) == (12, 0.2)
    assert score.low < score.value < score.high


def test_a_weighted_mean_is_a_ratio_of_totals():
    # 1 of 1 in one document, 0 of 3 in each of ten: 1 / 31.
    values, weights = [1.0] + [0.0] * 10, [1.0] + [3.0] * 10
    score = document_mean(values, [str(row) for row in range(11)], np.random.default_rng(0), weights=weights)
    assert score.value == pytest.approx(1 / 31, abs=1e-6)


def test_it_agrees_with_drawing_documents_one_by_one():
    rng = np.random.default_rng(5)
    documents = [str(owner) for owner in rng.integers(0, 40, size=200)]
    values = rng.random(200) + np.array([int(name) / 40 for name in documents])
    ours = document_mean(values, documents, np.random.default_rng(1))
    groups = [
        values[[place for place, name in enumerate(documents) if name == owner]] for owner in sorted(set(documents))
    ]
    draws = np.random.default_rng(2).integers(0, len(groups), size=(DRAWS, len(groups)))
    means = [np.concatenate([groups[place] for place in draw]).mean() for draw in draws]
    low, high = values.mean() + _widening(len(groups), 0.975) * (np.quantile(means, [0.025, 0.975]) - values.mean())
    assert ours.low == pytest.approx(low, abs=0.02)
    assert ours.high == pytest.approx(high, abs=0.02)


def test_texts_of_one_document_do_not_count_as_independent():
    values = np.repeat(np.random.default_rng(0).random(20), 10)
    together = document_mean(values, [str(row // 10) for row in range(200)], np.random.default_rng(1))
    apart = document_mean(values, [str(row) for row in range(200)], np.random.default_rng(1))
    assert together.high - together.low > 2 * (apart.high - apart.low)


@pytest.mark.parametrize("documents", [10, 20, 60])
def test_it_covers_the_truth_about_as_often_as_it_says(documents):
    rng = np.random.default_rng(3)
    owners = [str(row // 4) for row in range(4 * documents)]
    held = 0
    for _ in range(400):
        values = np.repeat(rng.normal(size=documents), 4) + rng.normal(size=4 * documents)
        score = document_mean(values, owners, rng)
        held += score.low <= 0 <= score.high
    assert 0.92 <= held / 400 <= 0.98


def test_few_documents_widen_the_percentiles_by_students_t():
    # With two values a document the percentiles of the mean are mean +- q; t at 9 degrees of freedom is 2.2622,
    # the normal quantile 1.9600, and sqrt(10 / 9) 1.0541: a factor of 1.2166.
    assert _widening(10, 0.975) == pytest.approx(1.2166, abs=1e-4)
    assert _widening(1000, 0.975) == pytest.approx(1.0, abs=0.003)


def test_an_interval_stays_where_values_can_be():
    values = [0.0] * 9 + [1.0]
    score = document_mean(values, [str(row) for row in range(10)], np.random.default_rng(0))
    assert score.low == 0.0
    assert score.high <= 1.0


def test_texts_of_no_weight_change_nothing_but_still_draw():
    values, documents = [0.2, 0.9, 0.4] * 10, [str(row) for row in range(30)]
    weights = [1.0, 1.0, 0.0] * 10
    score = document_mean(values, documents, np.random.default_rng(0), weights=weights)
    assert (score.value, score.n) == (pytest.approx(0.55), 20)


def test_choosing_among_many_words_widens_the_interval():
    # 0.05 / 5 = 0.01: with no hit of 10 the upper end is 1 - 0.005^(1/10).
    assert proportion(0, 10, among=5).high == pytest.approx(1 - 0.005**0.1, abs=1e-6)


def test_too_few_documents_are_refused():
    with pytest.raises(InputError, match="3 documents are too few"):
        document_mean([1, 2, 3], ["a", "b", "c"], np.random.default_rng(0))


@pytest.mark.parametrize(("value", "low", "high"), [(1.0, 0.691503, 1.0), (0.0, 0.0, 0.308497)])
def test_nothing_but_hits_in_ten_documents_is_no_certainty(value, low, high):
    """The exact ends for 10 of 10: 0.025^(1/10), and 1 less that."""
    documents = [str(row // 2) for row in range(20)]
    score = document_mean([value] * 20, documents, np.random.default_rng(0))
    assert (score.value, score.low, score.high, score.n) == (value, low, high, 20)


def test_one_chosen_among_five_has_the_interval_of_ninety_nine_in_a_hundred():
    values = np.random.default_rng(3).normal(size=400)
    documents = [str(row) for row in range(400)]
    one, five = (document_mean(values, documents, np.random.default_rng(0), among=among) for among in (1, 5))
    assert one.value == five.value
    # The ratio of the normal quantiles at 0.995 and 0.975; 2,000 draws leave some noise in the tail.
    assert (five.high - five.low) / (one.high - one.low) == pytest.approx(2.5758 / 1.9600, abs=0.08)
    # All hits among 20 documents: 0.025^(1/20) alone, 0.005^(1/20) among five.
    hits = document_mean(np.ones(20), [str(row) for row in range(20)], np.random.default_rng(0), among=5)
    assert hits.low == pytest.approx(0.005 ** (1 / 20), abs=1e-4)


@pytest.mark.parametrize(
    ("value", "low", "high"), [(0.0, -0.308497, 0.308497), (1.0, 0.383006, 1.0), (-1.0, -1.0, -0.383006)]
)
def test_equal_differences_have_an_interval_on_either_side(value, low, high):
    """Ten documents leave 1 - 0.025^(1/10) = 0.308497 unseen; of 1 throughout, 1 - 2 * 0.308497 is left at worst."""
    score = document_mean([value] * 20, [str(row // 2) for row in range(20)], np.random.default_rng(0), signed=True)
    assert (score.value, score.low, score.high) == (value, pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_differences_of_which_none_was_negative_may_still_be():
    values, documents = [0.0] * 9 + [1.0], [str(row) for row in range(10)]
    plain, signed = (
        document_mean(values, documents, np.random.default_rng(0), signed=signed) for signed in (False, True)
    )
    # Of 10 documents nearly a third of the draws miss the one hit: the percentile is 0, widened below the mean of 0.1.
    assert (plain.low, signed.low) == (0.0, pytest.approx(0.1 - 0.1 * _widening(10, 0.975), abs=1e-6))
    assert (plain.value, plain.high) == (signed.value, signed.high)


def run(value):
    return Score(value, value - 0.1, value + 0.1, 50, 0.0)


def test_the_interval_is_students_over_the_runs():
    # Mean 0.2, standard deviation 0.1, three runs: t at 0.975 with 2 degrees is 4.3027; 4.3027 * 0.1 / sqrt(3).
    score = mean_of_runs([run(0.1), run(0.2), run(0.3)])
    assert (score.value, score.n, score.baseline) == (0.2, 50, 0.0)
    assert score.high - score.value == pytest.approx(0.24841, abs=1e-5)
    assert score.value - score.low == pytest.approx(0.24841, abs=1e-5)


def test_two_runs_have_no_interval():
    with pytest.raises(InputError, match="2 runs are too few"):
        mean_of_runs([run(0.1), run(0.2)])
