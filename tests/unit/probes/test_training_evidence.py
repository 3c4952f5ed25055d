"""Charts of training membership, from scores made by hand."""

import numpy as np

from vestige.probes.training_evidence import at_low_rates, by_length, by_method
from vestige.probes.training_scores import ScoredRows, TrainingScores


def scores_of(lengths, gap):
    """Documents of these lengths, every second a member, which scores higher by the gap."""
    count = len(lengths)
    members = np.arange(count) % 2 == 0
    values = np.random.default_rng(0).normal(size=count) + gap * members
    rows = ScoredRows(values, [str(row) for row in range(count)], members)
    return TrainingScores(rows, rows, np.array(lengths))


def test_two_bands_of_lengths_have_a_bar_each_and_one_has_no_chart():
    (chart,) = by_length(scores_of([3] * 80 + [7] * 80, 5.0), scores_of([3] * 80 + [7] * 80, 0.0), 0)
    assert [bar.label for bar in chart.bars] == ["2 to 4 sentences", "5 to 9 sentences"]
    assert all(bar.score.value > 0.9 > bar.score.baseline for bar in chart.bars)
    assert list(by_length(scores_of([3] * 80, 5.0), scores_of([3] * 80, 0.0), 0)) == []


def test_methods_are_compared_on_documents_and_pairs():
    attack, prior = scores_of([3] * 80, 5.0), scores_of([3] * 80, 0.0)
    chart = by_method({"learned": attack, "words": prior}, {"learned": prior, "words": prior}, 0)
    assert [bar.label for bar in chart.bars] == [
        "documents, learned similarity",
        "documents, proximity of words",
        "pairs, learned similarity",
        "pairs, proximity of words",
    ]
    assert chart.bars[0].score.value > 0.9
    assert "means of word vectors" in chart.reading


def test_sides_that_differ_as_texts_bound_nothing():
    summary = scores_of([3] * 400, 5.0).documents.summarize(0)
    assert "the two sides differ as texts" in at_low_rates(summary, alike=False).reading
    assert "the two sides differ as texts" not in at_low_rates(summary, alike=True).reading
