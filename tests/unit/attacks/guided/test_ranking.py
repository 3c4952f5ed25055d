"""Edits are complete, and ranked as the model of effects has it."""

import numpy as np
import pytest

from vestige.attacks.guided.lexicon import BigramModel, Palette
from vestige.attacks.guided.ranking import rank_edits, rank_orders

EFFECTS = np.vstack([np.zeros(4), 2 * np.eye(4)]).astype(np.float32)


@pytest.fixture
def palette():
    language = BigramModel([(0, 1, 2, 3)], 4)
    return Palette(np.array([4, 0, 1, 2, 3]), EFFECTS, language.table(np.array([4, 0, 1, 2, 3])))


def embedded(text):
    return (EFFECTS[list(text)].sum(axis=0) / np.sqrt(len(text))).astype(np.float32)


def test_every_edit_of_one_word_is_there_once(palette):
    edits = [edit.text for edit in rank_edits((1, 2), embedded((1, 2)), embedded((3,)), palette, weight=0, most=99)]
    replaced = {(word, 2) for word in (2, 3, 4)} | {(1, word) for word in (1, 3, 4)}
    grown = {text for word in range(1, 5) for text in ((word, 1, 2), (1, word, 2), (1, 2, word))}
    assert set(edits) == replaced | grown | {(1,), (2,), (2, 1)}


def test_with_effects_that_add_up_the_expected_cosine_is_the_true_one(palette):
    text, target = (1, 2, 3), embedded((1, 4))
    target /= np.linalg.norm(target)
    for edit in rank_edits(text, embedded(text), target, palette, weight=0, most=99):
        vector = embedded(edit.text)
        if len(edit.text) != len(text) or sorted(edit.text) != sorted(text):
            assert edit.value == pytest.approx(float(vector @ target / np.linalg.norm(vector)), abs=1e-5)


def test_fluency_counts_by_its_weight(palette):
    text, target = (1, 3), embedded((1,))
    plain, fluent = (
        {edit.text: edit.value for edit in rank_edits(text, embedded(text), target, palette, weight=weight, most=99)}
        for weight in (0.0, 0.1)
    )
    for edited, value in fluent.items():
        gain = palette.fluency(np.array([edited])) - palette.fluency(np.array([text]))
        assert value - plain[edited] == pytest.approx(0.1 * float(gain[0]), abs=1e-6)


def test_the_last_word_is_not_taken_out(palette):
    assert () not in [
        edit.text for edit in rank_edits((1,), embedded((1,)), embedded((2,)), palette, weight=0, most=99)
    ]


def test_every_order_with_one_span_moved_or_two_words_swapped_is_there_once(palette):
    orders = rank_orders((1, 2, 3), palette, 99)
    assert sorted(orders) == [(1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    assert rank_orders((1,), palette, 99) == []


def test_the_order_that_reads_best_comes_first(palette):
    assert rank_orders((1, 3, 4, 2), palette, 1) == [(1, 2, 3, 4)]
    assert rank_orders((3, 4, 1, 2), palette, 1) == [(1, 2, 3, 4)]
