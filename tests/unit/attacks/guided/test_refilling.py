"""Windows are filled with the words that lead to the target, also where one word alone does not help."""

import numpy as np

from vestige.attacks.guided.lexicon import BigramModel, Palette
from vestige.attacks.guided.refilling import refill

EFFECTS = np.vstack([np.zeros(5), 2 * np.eye(5)]).astype(np.float32)
NUMBERS = np.array([5, 0, 1, 2, 3, 4])
PALETTE = Palette(NUMBERS, EFFECTS, BigramModel([(0, 1, 2, 3, 4)], 5).table(NUMBERS))


def embed(text):
    """As the model of effects has it, so that every expectation is met."""
    return EFFECTS[list(text)].sum(axis=0) / np.float32(np.sqrt(len(text)))


def aim(text):
    return embed(text) / np.linalg.norm(embed(text))


def test_two_words_are_exchanged_at_once():
    text, true = (1, 2, 3, 1), (1, 4, 5, 1)
    value, best = refill(text, embed(text), aim(true), PALETTE, (1, 3), 0.0)[0]
    assert sorted(best) == sorted(true)
    assert best[0] == best[-1] == 1
    assert value > 0.95


def test_what_is_outside_the_window_stays_and_the_gap_may_grow_by_one():
    found = [text for _, text in refill((1, 2, 3), embed((1, 2, 3)), aim((4,)), PALETTE, (1, 2), 0.0)]
    assert all(text[0] == 1 and text[-1] == 3 for text in found)
    assert {len(text) for text in found} == {3, 4}


def test_of_equal_words_the_order_that_reads_best_comes_first():
    text = (1, 2, 2, 5)
    found = [each for _, each in refill(text, embed(text), aim((1, 3, 4, 5)), PALETTE, (1, 3), 0.001)]
    assert found.index((1, 3, 4, 5)) < found.index((1, 4, 3, 5))


def test_values_fall():
    values = [value for value, _ in refill((1, 2), embed((1, 2)), aim((3,)), PALETTE, (0, 2), 0.01)]
    assert values == sorted(values, reverse=True)


def test_the_edge_is_never_filled_in():
    few = Palette(np.array([5, 0]), EFFECTS[:2], PALETTE.follows[:2, :2])
    found = [text for _, text in refill((1, 1), embed((1, 1)), aim((1,)), few, (0, 2), 0.0)]
    assert sorted(found) == [(1,), (1, 1), (1, 1, 1)]
