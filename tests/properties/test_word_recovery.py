"""Word recovery, whatever the words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vestige.metrics.word_recovery import rarity, word_recovery

word = st.sampled_from(["bank", "loan", "debt", "card", "rate", "fraud", "fee"])
word_sets = st.lists(st.sets(word, min_size=1), min_size=1, max_size=8)


@given(st.data(), word_sets)
def test_scores_are_between_0_and_1_and_f1_between_its_parts(data, truth):
    guessed = data.draw(st.lists(st.sets(word), min_size=len(truth), max_size=len(truth)))
    for weight in (lambda _: 1.0, rarity(truth)):
        scores = word_recovery(guessed, truth, weight)
        table = np.stack([scores.precision, scores.recall, scores.f1])
        assert ((table >= 0) & (table <= 1 + 1e-9)).all()
        assert (scores.f1 <= np.maximum(scores.precision, scores.recall) + 1e-9).all()
        assert (scores.f1 >= np.minimum(scores.precision, scores.recall) - 1e-9).all()


@given(word_sets)
def test_swapping_guess_and_truth_swaps_precision_and_recall(truth):
    guessed = truth[::-1]
    there, back = word_recovery(guessed, truth), word_recovery(truth, guessed)
    assert np.allclose(there.precision, back.recall)
    assert np.allclose(there.f1, back.f1)
