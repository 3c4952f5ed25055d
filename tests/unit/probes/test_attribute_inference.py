"""One attribute under attack, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from vestige.case.case import Auxiliary, Knowledge, Truth
from vestige.case.settings import Settings
from vestige.probes.attribute_inference import (
    AttributeGuesses,
    LabelDraw,
    LabelledRows,
    attack_attribute,
    infer_attribute,
    infer_each,
    reassign_labels,
    reweigh,
)
from vestige.types import LabelGuesses, silent

SETTINGS = Settings(targets=240, pairs=600, shortest=4, labels=20)


def attack_labels(known, labels, documents=None):
    rows = len(known)
    vectors = np.random.default_rng(0).normal(size=(rows, 4)).astype(np.float32)
    pairs = Auxiliary(vectors, ["t"] * rows, [str(row) for row in range(rows)], "toy", 0, {"a": known})
    truth = Truth(["t"] * len(labels), documents or [str(row) for row in range(len(labels))], {"a": labels})
    return attack_attribute(Knowledge(vectors[: len(labels)], pairs, None), truth, "a", SETTINGS, silent)


def test_the_first_guess_among_the_classes_that_were_drawn_by_hand():
    """Of z, x and y with chances 0.5, 0.3 and 0.2 for all: among two, x is right if y is drawn with it, y never.

    Of the three pairs z is right in two of two, x in one of two, y in none of two: 1/2 on average.
    """
    attacked = attack_labels(["x", "y", "z"] * 20, ["x", "y", "z"] * 20)
    guesses = LabelGuesses(("x", "y", "z"), np.tile([0.3, 0.2, 0.5], (60, 1)))
    attacked = replace(attacked, guesses=AttributeGuesses(guesses, guesses))
    assert attacked.score_subset(3, 1, 0).value == attacked.balanced([guesses], 1, 0).value == pytest.approx(1 / 3)
    found = attacked.score_subset(2, 300, 0)
    assert (found.value, found.baseline) == (pytest.approx(0.5), 0.5)
    few = attack_labels(["x", "y", "z"] * 20, ["x", "y", "z"] * 4)
    assert few.score_subset(2, 1, 0) is None


def test_targets_without_a_label_and_of_an_unseen_class_are_counted_and_not_scored():
    attacked = attack_labels(["x", "y"] * 20 + [None], ["x", "y"] * 6 + [None, "z", "z"])
    assert (attacked.missing, attacked.unseen, len(attacked.truth)) == (1, 2, 12)
    assert attacked.hits(attacked.guesses.even, 1).shape == (12,)


@pytest.mark.parametrize(
    ("known", "labels", "reason"),
    [
        (["x"] * 40, ["x"] * 20, "of threads under attack, have fewer than two classes"),
        (
            ["x", "y"] + [None] * 38,
            ["x"] * 20,
            "of threads under attack, have fewer than two classes",
        ),
        (["x", "y"] * 20, ["x"] * 9 + ["z"] * 11, "9 target documents are of 1 classes"),
        (["x", "y"] * 20, ["x"] * 20, "20 target documents are of 1 classes"),
    ],
)
def test_what_cannot_be_scored_says_why(known, labels, reason):
    assert reason in attack_labels(known, labels)


def test_every_class_has_equal_weight_by_hand():
    """Four texts of x, all right, and eight of y, of which two are: (1 + 1/4) / 2; at natural frequencies, 6 of 12."""
    attacked = attack_labels(["x", "y"] * 20, ["x"] * 4 + ["y"] * 8)
    guesses = LabelGuesses(("x", "y"), np.array([[1.0, 0.0]] * 10 + [[0.0, 1.0]] * 2))
    always_x = replace(guesses, probabilities=np.eye(2)[[0] * 12])
    assert attacked.balanced([guesses], 1, 0).value == 0.625
    assert attacked.balanced([guesses, always_x], 1, 0).value == 0.5625
    assert attacked.hits(guesses, 1).mean() == 0.5
    assert attacked.chance(1) == attacked.balanced([always_x], 1, 0).value == 0.5
    assert attacked.chance(5) == 1
    assert attacked.fixed().tolist() == [0] * 4 + [1] * 8


def test_more_labels_contain_the_fewer():
    pairs = Auxiliary(np.zeros((9, 1), np.float32), ["t"] * 9, list("123456789"), "toy", 0, {"a": [*"xxxxxxyy", None]})
    labelled = LabelledRows.collect(pairs, "a", 0)
    assert labelled.shares == {"x": 0.75, "y": 0.25}
    few, more = (set(labelled.draw(count)[0].tolist()) for count in (2, 4))
    assert few < more
    assert (len(few), len(more)) == (4, 6)


def test_chances_among_labels_become_chances_among_texts_by_hand():
    """Even chances, labels drawn two to two, classes nine to one in truth: 0.9 to 0.1."""
    guesses = LabelGuesses(("x", "y"), np.array([[0.5, 0.5], [0.1, 0.9]]))
    found = reweigh(guesses, ["x", "x", "y", "y"], {"x": 0.9, "y": 0.1}).probabilities
    assert found == pytest.approx(np.array([[0.9, 0.1], [0.5, 0.5]]))


def test_labels_are_reassigned_by_document():
    documents = [str(row // 5) for row in range(100)]
    labels = ["x" if row < 50 else "y" for row in range(100)]
    found = reassign_labels(labels, documents, np.random.default_rng(0))
    assert all(len(set(found[start : start + 5])) == 1 for start in range(0, 100, 5))
    assert found.count("x") == 50
    assert found != labels


def test_labels_of_a_document_with_several_are_permuted_within_it():
    documents = ["talk"] * 6 + ["note", "letter", "memo"]
    labels = ["agent", "agent", "agent", "client", "client", "client", "agent", "client", "client"]
    dealt = [reassign_labels(labels, documents, np.random.default_rng(seed)) for seed in range(20)]
    assert all(sorted(each[:6]) == sorted(labels[:6]) for each in dealt)
    assert all(sorted(each[6:]) == sorted(labels[6:]) for each in dealt)
    assert len({tuple(each[:6]) for each in dealt}) > 5


@pytest.mark.parametrize("recipe", ["default", "paper"])
def test_runs_side_by_side_find_what_runs_one_after_another_find(recipe):
    settings, labels = replace(SETTINGS, recipe=recipe), ["x", "y"] * 30
    vectors = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    pairs = Auxiliary(vectors, ["t"] * 60, [str(row) for row in range(60)], "toy", 0, {"a": labels})
    knowledge, steps = Knowledge(vectors, pairs, None), []
    labelled = LabelledRows.collect(pairs, "a", 0)
    draws = [LabelDraw(20, 1), LabelDraw(20, 2), LabelDraw(5)]
    found = infer_each(knowledge, labelled, settings, lambda _task, _total: steps.append, draws)
    singly = [
        infer_attribute(knowledge, labelled, settings, silent, most=each.most, shuffle=each.shuffle) for each in draws
    ]
    assert [each.even.probabilities.tobytes() for each in found] == [
        each.even.probabilities.tobytes() for each in singly
    ]
    assert sum(steps) == len(draws)
    assert infer_each(knowledge, labelled, settings, silent, []) == []
