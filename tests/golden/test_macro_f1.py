"""Values computed by hand."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.metrics.intervals import document_mean, document_share
from vestige.metrics.macro_f1 import macro_f1

TRUTH = ["a", "a", "b", "c"] * 5
GUESSED = ["a", "b", "b", "b"] * 5
DOCUMENTS = [str(row) for row in range(20)]


def rng():
    return np.random.default_rng(0)


def test_the_mean_over_classes():
    # a: 1 hit, 1 missed: 2/3. b: 1 hit, 2 wrong: 2/4. c: never said: 0. One class for all, a: 2 * 0.5 / 1.5, then / 3.
    score = macro_f1(GUESSED, TRUTH, DOCUMENTS, rng())
    assert score.value == pytest.approx((2 / 3 + 1 / 2) / 3, abs=1e-6)
    assert score.baseline == pytest.approx(2 / 9, abs=1e-6)
    assert score.low < score.value < score.high
    assert score.n == 20


def test_it_agrees_with_scikit_learn():
    from sklearn.metrics import f1_score

    drawn = np.random.default_rng(3).integers(0, 4, size=(2, 60)).astype(str)
    guessed, truth = drawn.tolist()
    score = macro_f1(guessed, truth, [str(row) for row in range(60)], rng())
    assert score.value == pytest.approx(f1_score(truth, guessed, average="macro"), abs=1e-6)


def test_no_mistake_leaves_no_interval():
    score = macro_f1(TRUTH, TRUTH, DOCUMENTS, rng())
    assert (score.value, score.low, score.high) == (1.0, 1.0, 1.0)


def test_a_class_outside_the_truth_is_merely_wrong():
    assert macro_f1(["x"] * 20, TRUTH, DOCUMENTS, rng()).value == 0.0


def test_texts_of_one_document_widen_the_interval():
    alone = macro_f1(GUESSED, TRUTH, DOCUMENTS, rng())
    together = macro_f1(
        sorted(GUESSED),
        [t for _, t in sorted(zip(GUESSED, TRUTH, strict=True))],
        [str(row // 2) for row in range(20)],
        rng(),
    )
    assert together.value == alone.value
    assert together.high - together.low > alone.high - alone.low


def test_what_cannot_be_scored_is_refused():
    with pytest.raises(InputError, match="1 guesses, 2 true classes and 2 documents"):
        macro_f1(["a"], ["a", "b"], ["1", "2"], rng())
    with pytest.raises(InputError, match="there are no texts to score"):
        macro_f1([], [], [], rng())
    with pytest.raises(InputError, match="too few for an interval"):
        macro_f1(["a"], ["a"], ["1"], rng())


def test_a_share_of_sums_that_is_a_mean_has_the_interval_of_the_mean():
    values = np.random.default_rng(1).random(40)
    documents = [str(row // 2) for row in range(40)]
    parts = np.column_stack([values, np.ones(40)])
    share = document_share(parts, documents, rng(), lambda sums: sums[:, 0] / sums[:, 1])
    assert share == document_mean(values, documents, rng())
