"""The prior is the best fixed set, exactly."""

from itertools import combinations

import numpy as np
import pytest

from vestige.attacks.fixed_words import FixedWords
from vestige.errors import NotFitted
from vestige.text.words import content_words


def mean_f1(guess, texts):
    sets = [content_words(text) for text in texts]
    return np.mean([2 * len(guess & words) / (len(guess) + len(words)) for words in sets])


def test_by_hand():
    # {bank}: three times 2/3 and once 0, 1/2 in the mean. {bank, fee}: three times 1 and once 0, 3/4.
    # {bank, fee, loan}: three times 4/5 and once 1/2, 29/40. So the best set is {bank, fee}.
    texts = ["bank fee", "bank fee", "fee, bank", "loan"]
    assert FixedWords().fit(texts).words_ == {"bank", "fee"}


@pytest.mark.parametrize("seed", range(8))
def test_no_other_set_does_better(seed):
    rng = np.random.default_rng(seed)
    lexicon = ["bank", "loan", "debt", "card", "rate", "fraud"]
    texts = [" ".join(rng.choice(lexicon, size=rng.integers(1, 5), replace=False)) for _ in range(12)]
    best = max(mean_f1(frozenset(chosen), texts) for size in range(1, 7) for chosen in combinations(lexicon, size))
    assert mean_f1(FixedWords().fit(texts).words_, texts) == pytest.approx(best)


def test_it_guesses_the_same_for_every_vector():
    guesses = FixedWords().fit(["bank fee", "bank loan"]).infer(np.zeros((3, 2), np.float32))
    assert len(guesses.sets) == 3
    assert len(set(guesses.sets)) == 1
    assert guesses.ranked[0][0] == ("bank", 1.0)


def test_it_must_be_fitted_first():
    with pytest.raises(NotFitted):
        FixedWords().infer(np.zeros((1, 2), np.float32))
