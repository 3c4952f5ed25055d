"""The evidence of the probe `words`: charts by hand, and on a toy encoder."""

from dataclasses import replace

import numpy as np

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.findings import Finding
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Run
from vestige.probes.words_evidence import (
    by_frequency,
    by_length,
    by_pairs,
    examples,
    most_readable,
    without_near_copies,
)
from vestige.text.corpus import Corpus
from vestige.text.vocabulary import Vocabulary

SETTINGS = Settings(targets=120, pairs=600, queries=20, shortest=4, unit="text")
(PROBE,) = choose_probes(["words"])


def find(corpus, settings=SETTINGS) -> Finding:
    found = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert isinstance(found, Finding)
    return found


def test_words_outside_the_vocabulary_are_never_recovered():
    own = [f"{text[:-1]} unique{row}." for row, text in enumerate(toy_corpus().sentences(4, 40).texts)]
    bands = {bar.label: bar.score for bar in find(Corpus("own", own)).charts[0].bars}
    assert bands["not in the attacker's vocabulary"].value == 0
    assert bands["not in the attacker's vocabulary"].n == 120
    assert bands["100 most frequent"].value > 0.3


def test_with_little_text_bars_without_enough_documents_are_skipped():
    corpus = toy_corpus(400, seed=2).sentences(4, 40)
    marked = [f"{text} raretail" if row % 60 == 0 else text for row, text in enumerate(corpus.texts)]
    few = Corpus("few", marked, [str(row // 30) for row in range(len(marked))])
    small = find(few, replace(SETTINGS, targets=40, pairs=900, queries=0))
    assert small.leakage.n == 40
    assert small.charts[0].bars
    assert all(bar.score.n >= 10 for bar in small.charts[0].bars)


DOCUMENTS = [str(row) for row in range(20)]
LOAN, BOTH = frozenset({"loan"}), frozenset({"loan", "bank"})
SCORER = Scorer(DOCUMENTS, 0)


def test_recall_by_frequency_by_hand():
    chart = by_frequency([LOAN] * 20, [frozenset()] * 20, [BOTH] * 20, Vocabulary(("loan", "bank"), (20, 20)), SCORER)
    (bar,) = chart.bars
    assert (bar.label, bar.score.value, bar.score.baseline) == ("2 most frequent", 0.5, 0.0)


def test_the_most_reliable_words_by_hand():
    """`loan` is always right; `bank` is claimed in all ten texts without it."""
    truth = [BOTH] * 10 + [LOAN] * 10
    chart = most_readable([BOTH] * 20, truth, DOCUMENTS)
    assert [bar.label for bar in chart.bars] == ["loan", "bank"]
    assert [bar.score.baseline for bar in chart.bars] == [0.0, 1.0]
    assert [bar.score.n for bar in chart.bars] == [20, 10]


def test_leakage_by_length_by_hand():
    """Twelve texts of 7 words, 0.2 each; twelve of 8, of which half have 0.6 and half 0; two of 250 are too few."""
    texts = [" ".join(["word"] * length) for length in [7] * 12 + [8] * 12 + [250] * 2]
    gains = np.array([0.2] * 12 + [0.6, 0.0] * 6 + [1.0] * 2)
    chart = by_length(gains, texts, Scorer([str(row) for row in range(26)], 0))
    assert [(bar.label, round(bar.score.value, 6)) for bar in chart.bars] == [
        ("up to 7 words", 0.2),
        ("8 to 16 words", 0.3),
    ]


def test_pairs_are_sorted_by_their_number():
    chart = by_pairs({1000: [BOTH] * 20, 100: [LOAN] * 20}, [BOTH] * 20, 0.1, SCORER)
    assert [bar.label for bar in chart.bars] == ["100 pairs", "1,000 pairs"]
    assert chart.bars[0].score.value < chart.bars[1].score.value == 1


def test_near_copies_are_counted_and_scored_apart():
    gains, copied = np.repeat([0.5, 0.1], 10), np.repeat([True, False], 10)
    chart = without_near_copies(gains, copied, SCORER)
    assert [round(bar.score.value, 6) for bar in chart.bars] == [0.3, 0.1]
    assert "10 of 20 targets" in chart.reading
    assert len(without_near_copies(gains, np.ones(20, np.bool_), SCORER).bars) == 1


def test_examples_show_hits_in_the_order_of_the_text_and_mask_the_rest():
    text = "The bank refused a loan"
    (masked, *_) = examples([text], [frozenset({"loan", "river"})], np.array([0.5]), show_text=False)
    assert [token.state for token in masked.tokens] == ["other", "missed", "missed", "other", "hit"]
    assert [token.text for token in masked.tokens] == [None, None, None, None, "loan"]
    assert masked.wrong == 1
    (shown, *_) = examples([text], [frozenset({"loan"})], np.array([0.5]), show_text=True)
    assert [token.text for token in shown.tokens] == text.lower().split()
