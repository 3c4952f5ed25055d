"""The evidence of the probe `sentences`, by hand."""

import numpy as np
import pytest

from vestige.case.scorer import Scorer
from vestige.probes.sentences_evidence import (
    ReconstructedTexts,
    by_queries,
    examples,
    find_best,
    how_close,
    what_matters,
)
from vestige.types import TextGuesses, Trial

TRAIL = [Trial(10, "a", 0.2), Trial(26, "a b", 0.6), Trial(42, "a b c", 0.9)]


def test_the_best_after_so_many_queries():
    assert [find_best(TRAIL, mark).text for mark in (5, 10, 25, 26, 1000)] == ["a", "a", "a", "a b", "a b c"]


def test_bars_start_with_the_nearest_text_and_end_with_all_queries():
    written = ReconstructedTexts(
        TextGuesses(["a b c"] * 12, [TRAIL] * 12),
        TextGuesses(["a z"] * 12, [[Trial(0, "a z", 0.1)]] * 12),
        TextGuesses(["q"] * 12),
        40,
        100,
        500,
    )
    scorer = Scorer([str(row) for row in range(12)], 0)
    bars = by_queries(written, ["a b c d"] * 12, scorer, 0.05).bars
    assert [bar.label for bar in bars] == [
        "the nearest text, no query",
        "10 queries per text",
        "30 queries per text",
        "40 queries per text",
    ]
    assert [bar.score.value for bar in bars] == pytest.approx([1 / 3, 0.4, 2 / 3, 2 / 3])
    assert {bar.score.baseline for bar in bars} == {0.05}
    assert [bar.score.value for bar in how_close(written, scorer).bars] == pytest.approx([0.1, 0.2, 0.6, 0.6])


def test_whole_texts_and_names_by_hand():
    """Of 24 texts, twelve have a name and a number; half of these come back with the name alone, the rest whole."""
    truth = ["I met Kim in 1999"] * 12 + ["a dog ran"] * 12
    written = ["i met kim"] * 6 + ["i met kim in 1999"] * 6 + ["a cat"] * 12
    bars = what_matters(written, truth, Scorer([str(row) for row in range(24)], 0)).bars
    assert [(bar.label, bar.score.value) for bar in bars] == [
        ("whole texts, word for word", 0.25),
        ("names and numbers", 0.75),
    ]
    few = what_matters(written[-12:], truth[-12:], Scorer([str(row) for row in range(12)], 0)).bars
    assert [bar.label for bar in few] == ["whole texts, word for word"]


def test_examples_mask_what_was_not_written():
    truth, written = ["the cat sat"] * 2 + ["a dog ran"] * 19, ["cat the sat"] * 2 + ["no"] * 19
    scores = np.array([0.8] * 2 + [0.0] * 19)
    best, *_, worst = examples(truth, written, scores, False)
    assert [token.text for token in best.tokens] in ([None, "cat", "sat"], ["the", None, "sat"])
    assert (best.wrong, best.written) == (1, None)
    assert [token.text for token in worst.tokens] == [None, None, None]
    shown = examples(truth, written, scores, True)[0]
    assert [token.text for token in shown.tokens] == ["the", "cat", "sat"]
    assert shown.written == "cat the sat"
