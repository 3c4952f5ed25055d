"""Intervals against values computed by hand, from tables, and and against a second computation."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.metrics.intervals import (
    DRAWS,
    _widening,
    add_spread,
    document_difference,
    document_mean,
    mean_of_runs,
    proportion,
    unpaired_difference,
)
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


def test_the_interval_over_runs_of_a_share_stays_a_share():
    # As above, about means of 0.2 and 0.8.
    low, high = (
        mean_of_runs([run(value) for value in values], bounds=(0, 1)) for values in ((0.1, 0.2, 0.3), (0.7, 0.8, 0.9))
    )
    assert (low.low, high.high) == (0.0, 1.0)
    assert low.high == pytest.approx(0.44841, abs=1e-5)
    assert high.low == pytest.approx(0.55159, abs=1e-5)


def test_two_runs_have_no_interval():
    with pytest.raises(InputError, match="2 runs are too few"):
        mean_of_runs([run(0.1), run(0.2)])


def subtract(base, new, documents=None, **more):
    documents = [str(row) for row in range(len(base))] if documents is None else documents
    return document_difference(base, new, documents, np.random.default_rng(0), **more)


def test_a_paired_difference_is_that_of_the_means_and_much_narrower_than_an_unpaired_one():
    rng = np.random.default_rng(0)
    base = rng.random(200)
    new = base + 0.05 + 0.01 * rng.normal(size=200)
    documents = [str(row) for row in range(200)]
    paired = subtract(base, new)
    sides = [document_mean(each, documents, np.random.default_rng(0)) for each in (base, new)]
    unpaired = unpaired_difference(*sides)
    assert paired.value == pytest.approx(new.mean() - base.mean(), abs=1e-6)
    assert unpaired.value == pytest.approx(paired.value, abs=2e-6)
    assert paired.high - paired.low < 0.1 * (unpaired.high - unpaired.low)
    assert (paired.n, paired.baseline) == (200, 0.0)


def test_a_paired_difference_without_weights_is_the_mean_of_the_differences():
    rng = np.random.default_rng(3)
    base, new = rng.random((2, 120))
    documents = [str(row // 3) for row in range(120)]
    ours, plain = subtract(base, new, documents), document_mean(new - base, documents, np.random.default_rng(0))
    assert (ours.value, ours.low, ours.high) == pytest.approx((plain.value, plain.low, plain.high), abs=2e-6)


def test_each_side_has_its_own_weights():
    # 1 of 1 and 0 of 3 per pair of texts: 1/4 before; weighted 3 to 1 the other way: 3/4 after.
    values, documents = [1.0, 0.0] * 20, [str(row // 2) for row in range(40)]
    found = subtract(values, values, documents, base_weights=[1.0, 3.0] * 20, new_weights=[3.0, 1.0] * 20)
    assert found.value == pytest.approx(0.5)


@pytest.mark.parametrize(("differing", "decided"), [(0, False), (1, False), (5, False), (12, True)])
def test_a_few_documents_that_differ_decide_nothing(differing, decided):
    base = np.zeros(300)
    new = base + (np.arange(300) < differing)
    score = subtract(base, new)
    assert (score.low > 0) == decided
    assert score.low <= score.value <= score.high
    assert score.high > score.value


def test_equal_runs_have_the_interval_of_no_hit_among_so_many_documents():
    score = subtract(np.full(50, 0.3), np.full(50, 0.3))
    assert (score.value, score.low, score.high) == (0.0, -proportion(0, 50).high, proportion(0, 50).high)


def test_an_unpaired_difference_takes_each_end_from_the_ends_that_matter():
    # low: 0.1 - sqrt(0.03^2 + 0.04^2) = 0.05; high: 0.1 + sqrt(0.06^2 + 0.08^2) = 0.2.
    base, new = Score(0.5, 0.42, 0.54, 100), Score(0.6, 0.57, 0.66, 80)
    assert unpaired_difference(base, new) == Score(0.1, 0.05, 0.2, 80, 0.0)


def test_a_spread_is_added_in_squares():
    # 1.96 * 0.02 is 0.0392; with reaches of 0.03 and 0.04 the sums of squares have the roots 0.0494 and 0.0560.
    wide = add_spread(Score(0.1, 0.07, 0.14, 50, 0.0), 0.02)
    assert (wide.low, wide.high) == pytest.approx((0.1 - 0.0494, 0.1 + 0.0560), abs=1e-4)
    assert add_spread(wide, 0.0) == wide


def test_more_probes_widen_both_kinds_of_interval():
    # The two-sided normal quantile of 0.05 / 9 is 2.7729, relative to 1.96: 1.4148.
    base, new = Score(0.5, 0.46, 0.54, 100), Score(0.6, 0.57, 0.63, 100)
    wide = unpaired_difference(base, new, among=9)
    assert wide.high - wide.value == pytest.approx(1.4148 * 0.05, abs=1e-4)
    rng = np.random.default_rng(1)
    values = rng.normal(size=(2, 300))
    one, nine = subtract(*values), subtract(*values, among=9)
    assert (nine.high - nine.low) / (one.high - one.low) == pytest.approx(1.41, abs=0.12)


@pytest.mark.parametrize("skewed", [False, True])
@pytest.mark.parametrize("count", [20, 60])
def test_about_95_of_100_paired_intervals_include_the_truth(count, skewed):
    # Gains of two runs with a correlation of 0.7, one to five texts per document, which share a third of the variance.
    covered = 0
    for simulation in range(400):
        rng = np.random.default_rng([simulation, count])
        owner = np.repeat(np.arange(count), rng.integers(1, 6, count))
        parts = [0.577 * rng.normal(size=count)[owner] + 0.816 * rng.normal(size=len(owner)) for _ in range(3)]
        runs = [np.sqrt(0.7) * parts[0] + np.sqrt(0.3) * own for own in parts[1:]]
        base, new = (np.exp(run) if skewed else run for run in runs)
        score = subtract(0.1 * base, 0.1 * new, [str(place) for place in owner])
        covered += score.low <= 0 <= score.high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_few_large_documents_count_as_few():
    # One document of 60 texts and 20 of one text: (60 + 20)^2 / (60^2 + 20) is 1.77, which counts as two.
    rng = np.random.default_rng(0)
    equal, uneven = [str(row // 4) for row in range(80)], ["big"] * 60 + [str(row) for row in range(20)]
    base, new = rng.normal(size=(2, 80))
    widths = [score.high - score.low for score in (subtract(base, new, equal), subtract(base, new, uneven))]
    assert widths[1] > 4 * widths[0]
