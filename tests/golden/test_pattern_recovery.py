"""Values computed by hand, by brute force and by scikit-learn."""

from itertools import product

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.metrics.pattern_recovery import most_frequent, pattern_recovery
from vestige.types import FieldGuesses

DIGITS = tuple("0123456789")


def test_each_field_and_the_whole_by_hand():
    # Text 1: both right. Text 2: a wrong, b right. Text 3: a right, b third. Text 4: both wrong.
    a = np.array([[0.9, 0.1], [0.8, 0.2], [0.6, 0.4], [0.3, 0.7]])
    b = np.array([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
    guesses = FieldGuesses({"a": ("x", "y"), "b": ("p", "q", "r")}, {"a": a, "b": b})
    found = pattern_recovery(guesses, {"a": ["x", "y", "x", "x"], "b": ["r", "p", "p", "r"]})
    assert found.fields["a"].top1.value == 0.5
    assert found.fields["b"].top1.value == 0.5
    assert (found.fields["a"].top5.value, found.fields["b"].top5.value) == (1.0, 1.0)
    assert found.whole.top1.value == 0.25
    # The whole of text 4 is x, r: 0.03, the least of six; the whole of text 3 is 0.12, fifth before y, p (0.08).
    assert found.whole.top5.value == 0.75
    assert found.fields["b"].top1.baseline == pytest.approx(1 / 3, abs=1e-6)
    assert found.fields["b"].top5.baseline == 1.0
    assert found.whole.top1.baseline == pytest.approx(1 / 6, abs=1e-6)
    assert found.whole.top5.baseline == pytest.approx(5 / 6, abs=1e-6)
    assert found.whole.top1.n == 4


def test_the_interval_is_the_exact_one():
    # Clopper and Pearson for 2 of 4: the quantiles of Beta(2, 3) and Beta(3, 2).
    guesses = FieldGuesses({"a": ("x", "y")}, {"a": np.array([[0.9, 0.1]] * 4)})
    score = pattern_recovery(guesses, {"a": list("xxyy")}).fields["a"].top1
    assert (score.value, score.low, score.high) == (0.5, 0.067586, 0.932414)


def test_a_field_agrees_with_scikit_learn():
    from sklearn.metrics import top_k_accuracy_score

    rng = np.random.default_rng(0)
    table, truth = rng.dirichlet(np.ones(10), 200), rng.integers(10, size=200)
    found = pattern_recovery(FieldGuesses({"a": DIGITS}, {"a": table}), {"a": truth.astype(str).tolist()})
    for k, score in ((1, found.fields["a"].top1), (5, found.fields["a"].top5)):
        assert score.value == pytest.approx(top_k_accuracy_score(truth, table, k=k, labels=range(10)), abs=1e-6)


def test_the_whole_agrees_with_a_look_at_every_combination():
    rng = np.random.default_rng(1)
    sizes = {"a": 7, "b": 3, "c": 6}
    tables = {name: rng.dirichlet(np.ones(size), 300) for name, size in sizes.items()}
    # Truths near the likeliest, so that both shares are far from nought and one.
    truth = {
        name: np.array([rng.choice(len(row), p=row**2 / (row**2).sum()) for row in t]) for name, t in tables.items()
    }
    every = list(product(*map(range, sizes.values())))
    products = np.stack(
        [np.prod([tables[n][:, v] for n, v in zip(sizes, each, strict=True)], axis=0) for each in every]
    )
    order = np.argsort(-products, axis=0)
    rows = list(zip(*truth.values(), strict=True))
    ranks = np.array([[every[place] for place in order[:, row]].index(tuple(rows[row])) for row in range(300)])
    guesses = FieldGuesses({name: DIGITS[:size] for name, size in sizes.items()}, tables)
    found = pattern_recovery(guesses, {name: values.astype(str).tolist() for name, values in truth.items()})
    assert 0.05 < found.whole.top1.value == pytest.approx((ranks == 0).mean(), abs=1e-6)
    assert found.whole.top5.value == pytest.approx((ranks < 5).mean(), abs=1e-6)
    assert found.whole.top5.value > found.whole.top1.value


def test_many_fields_do_not_vanish():
    sure = np.array([[1 - 1e-9, 1e-9]] * 3)
    names = [f"n[{place}]" for place in range(60)]
    tables = dict.fromkeys(names, sure[:, ::-1])
    guesses = FieldGuesses(dict.fromkeys(names, ("A", "B")), tables)
    assert pattern_recovery(guesses, dict.fromkeys(names, ["B"] * 3)).whole.top1.value == 1.0
    assert pattern_recovery(guesses, dict.fromkeys(names, ["A"] * 3)).whole.top5.value == 0.0


def test_nought_is_a_probability():
    guesses = FieldGuesses({"a": ("x", "y"), "b": ("x", "y")}, dict.fromkeys("ab", np.array([[0.0, 1.0]])))
    assert pattern_recovery(guesses, {"a": ["y"], "b": ["y"]}).whole.top1.value == 1.0


def test_the_share_of_the_most_frequent_value():
    assert most_frequent({"a": list("AACG"), "b": list("TTTT")}) == {"a": 0.5, "b": 1.0}


@pytest.mark.parametrize(
    ("values", "table", "truth", "message"),
    [
        ({}, {}, {}, "for no field"),
        ({"a": ("x",)}, {"a": [[1.0]]}, {"b": ["x"]}, "expected the same fields"),
        ({"a": ("x",)}, {"a": np.ones((0, 1))}, {"a": []}, "no texts to score"),
        ({"a": ("x", "y")}, {"a": [[1.0, 0.0]]}, {"a": ["x", "y"]}, r"shape \(1, 2\); expected .*\(2, 2\)"),
        ({"a": ("x", "y")}, {"a": [[1.0, 0.0]]}, {"a": ["z"]}, "'z' is not among the values of field 'a'"),
    ],
)
def test_what_cannot_be_scored_is_refused(values, table, truth, message):
    with pytest.raises(InputError, match=message):
        pattern_recovery(FieldGuesses(values, table), truth)
