"""The evidence of the probe `attributes`, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.probes.test_attribute_inference import SETTINGS, attack_labels
from vestige.probes.attribute_inference import AttributeGuesses
from vestige.probes.attributes_evidence import by_attribute, by_class, by_classes
from vestige.types import LabelGuesses


def attacked(classes):
    """Twelve texts of each class, of which the attack always names the first one."""
    labels = [label for label in classes for _ in range(12)]
    outcome = attack_labels([*classes] * 20, labels)
    first = LabelGuesses(tuple(classes), np.tile(np.eye(len(classes))[0], (len(labels), 1)))
    return replace(outcome, guesses=AttributeGuesses(first, first))


def test_the_first_guess_has_a_bar_per_attribute_and_what_was_skipped_a_reason():
    chart = by_attribute([attacked("xy")], ["a"], {"id": "it numbers the rows"}, SETTINGS)
    (bar,) = chart.bars
    assert (bar.label, bar.score.value, bar.score.baseline) == ("a (2 classes)", 0.5, 0.5)
    assert "grouped into the ranges x, y." in chart.reading
    assert chart.reading.endswith("Not scored: “id” (it numbers the rows).")


def test_targets_without_a_label_are_mentioned():
    partly = replace(attacked("xy"), unseen=3, missing=1)
    reading = by_attribute([partly], [], {}, SETTINGS).reading
    assert "3 target texts are of a class that the attacker has no label for" in reading
    assert "1 target texts have no “a”." in reading


def test_accuracy_by_the_number_of_classes_is_shown_if_there_are_more_than_two():
    assert not list(by_classes(attacked("xy"), SETTINGS))
    (chart,) = by_classes(attacked("xyz"), SETTINGS)
    assert [bar.label for bar in chart.bars] == ["2 classes", "3 classes"]
    assert [bar.score.baseline for bar in chart.bars] == pytest.approx([1 / 2, 1 / 3], abs=1e-6)


def test_classes_are_sorted_by_risk_and_masked():
    (masked,) = by_class(attacked("xyz"), named=False, seed=0)
    assert [bar.label for bar in masked.bars] == ["class 1", "class 2", "class 3"]
    (named,) = by_class(attacked("xyz"), named=True, seed=0)
    assert [bar.label for bar in named.bars] == ["x", "y", "z"]
    assert [(bar.score.value, bar.score.baseline) for bar in named.bars] == [(1, 1), (0, 0), (0, 0)]
