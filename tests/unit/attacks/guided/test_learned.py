"""Edits by the odds of a learned editor, on odds written by hand."""

import numpy as np
import pytest

from vestige.attacks.guided.learned import EditOdds, EditorView, rank_learned, rewrite
from vestige.attacks.guided.lexicon import Palette

TEXT = (1, 2)


def odds(changed=(), grown=()):
    """Odds of -9 for every edit but these; words of the text itself have odds of zero."""
    tables = EditOdds(np.full((2, 4), -9.0), np.full((3, 4), -9.0))
    tables.changed[[0, 1], [1, 2]] = 0
    tables.grown[:, 0] = -np.inf
    for table, edits in ((tables.changed, changed), (tables.grown, grown)):
        for place, value in edits:
            table[place] = value
    return tables


@pytest.mark.parametrize(
    ("given", "best"),
    [
        (odds(changed=[((1, 3), 2.0)]), (2.0, (1, 3))),
        (odds(changed=[((0, 0), 2.0)]), (2.0, (2,))),
        (odds(grown=[((1, 3), 2.0)]), (2.0, (1, 3, 2))),
        (odds(changed=[((0, 0), 1.0)], grown=[((2, 1), 1.5)]), (2.5, (2, 1))),
    ],
    ids=["replace", "delete", "insert", "move"],
)
def test_the_likeliest_edit_comes_first(given, best):
    assert rank_learned(TEXT, given, 5)[0] == best


def test_all_likely_edits_are_made_at_once():
    likely = odds(changed=[((0, 3), 2.0), ((1, 0), 0.5)], grown=[((2, 1), 3.0)])
    everything, few, fewest, *noisy = rewrite(TEXT, likely, seed=0)
    assert (everything, few, fewest) == ((3, 1), (3, 2, 1), (1, 2, 1))
    assert len(noisy) == 3
    assert noisy == list(rewrite(TEXT, likely, seed=0))[3:]


def test_odds_compare_a_word_with_the_one_that_is_there_and_with_none():
    outputs = np.array([[0, 0, 0.5], [1, 0, 0], [0, 1, 0.25]], np.float32)
    palette = Palette(np.arange(3), np.zeros((3, 2), np.float32), np.zeros((3, 3)), outputs)
    view = EditorView(np.array([[2, 3]], np.float32), np.array([[1, 0], [0, 4]], np.float32), np.array([1, 1, 0.0]))
    found = view.find_odds((1,), palette)
    assert found.changed.tolist() == [[-1.5, 0, 1.25]]
    assert found.grown[:, 1:].tolist() == [[0, -0.75], [-4, 0.25]]
    assert np.isneginf(found.grown[:, 0]).all()
