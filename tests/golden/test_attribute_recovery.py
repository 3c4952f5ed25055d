import numpy as np
import pytest
from sklearn.metrics import top_k_accuracy_score

from vestige.errors import InputError
from vestige.metrics.attribute_recovery import attribute_recovery, fixed_guess, label_hits, recovery_gain
from vestige.types import LabelGuesses

LABELS = ("a", "b", "c", "d", "e", "f", "g")
FALLING = np.array([[0.4, 0.2, 0.15, 0.1, 0.08, 0.05, 0.02]])


def guesses(rows):
    return LabelGuesses(LABELS, np.repeat(FALLING, rows, axis=0))


def test_hits_by_hand():
    """The likeliest is a, the five likeliest are a to e; the attack never saw a label z."""
    truth = ["a", "b", "e", "f", "z"]
    assert label_hits(guesses(5), truth).tolist() == [[1, 1], [0, 1], [0, 1], [0, 0], [0, 0]]


def test_among_equals_the_order_of_labels_decides():
    even = LabelGuesses(LABELS, np.full((3, 7), 1 / 7))
    assert label_hits(even, ["a", "e", "f"]).tolist() == [[1, 1], [0, 1], [0, 0]]


def test_as_scikit_learn_counts():
    rng = np.random.default_rng(0)
    table = rng.dirichlet(np.ones(7), size=200)
    numbers = rng.integers(7, size=200)
    hits = label_hits(LabelGuesses(LABELS, table), [LABELS[number] for number in numbers])
    for column, depth in enumerate((1, 5)):
        assert hits[:, column].mean() == pytest.approx(top_k_accuracy_score(numbers, table, k=depth))


def test_scores_and_baselines_by_hand():
    truth = ["a"] * 6 + ["b"] * 3 + ["c", "d", "e", "f", "g"]
    found = attribute_recovery(guesses(14), truth, [str(row) for row in range(14)], np.random.default_rng(0))
    assert found.top1.value == pytest.approx(6 / 14, abs=1e-6)
    assert found.top5.value == pytest.approx(12 / 14, abs=1e-6)
    assert found.top1.low < 6 / 14 < found.top1.high
    assert (found.top1.n, found.top1.baseline) == (14, pytest.approx(6 / 14, abs=1e-6))
    assert found.top5.baseline == pytest.approx(12 / 14, abs=1e-6)
    assert fixed_guess(truth, 2) == pytest.approx(9 / 14)


def test_texts_of_one_document_count_as_one():
    truth = (["a"] * 10 + ["g"] * 10) * 6
    single = [str(row) for row in range(120)]
    joint = [str(row // 10) for row in range(120)]
    apart, together = (
        attribute_recovery(guesses(120), truth, d, np.random.default_rng(0)).top1 for d in (single, joint)
    )
    assert together.high - together.low > 2.5 * (apart.high - apart.low)


def test_a_gain_is_paired():
    truth = ["a", "g"] * 20
    documents = [str(row) for row in range(40)]
    better = LabelGuesses(LABELS, np.eye(7)[[0, 6] * 20])
    gain = recovery_gain(better, guesses(40), truth, documents, np.random.default_rng(0)).top1
    assert (gain.value, gain.baseline) == (0.5, 0.0)
    assert 0.3 < gain.low < 0.5 < gain.high < 0.7
    nothing = recovery_gain(better, better, truth, documents, np.random.default_rng(0)).top5
    assert (nothing.value, nothing.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 40), abs=1e-6))


def test_invalid_input_is_refused():
    with pytest.raises(
        InputError, match=r"shape \(3, 7\); expected one row per text and one column per label, \(2, 7\)"
    ):
        label_hits(guesses(3), ["a", "b"])
    with pytest.raises(InputError, match="no texts"):
        label_hits(guesses(0), [])
    with pytest.raises(InputError, match="2 true labels but 3 documents"):
        attribute_recovery(guesses(2), ["a", "b"], ["1", "2", "3"], np.random.default_rng(0))
