"""What stands beside guided inversion: the nearest text, and the one text that fits all."""

from itertools import combinations

import numpy as np
import pytest

from vestige.attacks.priors import FixedText, FixedWords, NearestText
from vestige.errors import InputError, NotFitted
from vestige.text.words import content_words

VECTORS = np.array([[2.0, 0.0], [0.0, 0.5], [1.0, 1.0]], dtype=np.float32)
TEXTS = ["east", "north", "north east"]


def test_nearest_is_by_angle_and_says_how_near():
    guesses = NearestText().fit(VECTORS, TEXTS).infer(np.array([[0.1, 3.0], [1.0, 0.9]], dtype=np.float32))
    assert guesses.texts == ["north", "north east"]
    assert guesses.trails[0][0].similarity == pytest.approx(3 / np.sqrt(9.01))
    assert guesses.trails[0][0].queries == 0


def test_the_fixed_text_is_the_one_with_most_in_common():
    texts = ["a b c d"] * 40 + ["x y z"] * 5 + ["q"] * 5
    guesses = FixedText().fit(texts, rng=np.random.default_rng(0)).infer(VECTORS)
    assert guesses.texts == ["a b c d"] * 3


def test_of_texts_with_the_same_words_the_fixed_text_has_the_usual_order():
    texts = ["a b c d"] * 60 + ["d c b a"] * 20
    assert FixedText().fit(texts, rng=np.random.default_rng(0)).text_ == "a b c d"


def test_neither_works_without_texts():
    with pytest.raises(InputError, match="fit needs at least 1"):
        NearestText().fit(VECTORS[:0], [])
    with pytest.raises(InputError, match="at least one"):
        FixedText().fit([], rng=np.random.default_rng(0))


def mean_f1(guess, texts):
    sets = [content_words(text) for text in texts]
    return np.mean([2 * len(guess & words) / (len(guess) + len(words)) for words in sets])


def test_by_hand():
    # {bank}: three times 2/3 and once 0, 1/2 in the mean. {bank, fee}: three times 1 and once 0, 3/4.
    # {bank, fee, loan}: three times 4/5 and once 1/2, 29/40. So the best set is {bank, fee}.
    texts = ["bank fee", "bank fee", "fee, bank", "loan"]
    assert FixedWords().fit(texts).words_ == {"bank", "fee"}


def test_sets_of_anything_may_be_given():
    # Stop words count where the sets hold them.
    assert FixedWords().fit_sets([{"the", "bank"}, {"the", "fee"}, {"the"}, set()]).words_ == {"the"}


@pytest.mark.parametrize("seed", range(8))
def test_no_other_set_does_better(seed):
    rng = np.random.default_rng(seed)
    lexicon = ["bank", "loan", "debt", "card", "rate", "fraud"]
    texts = [" ".join(rng.choice(lexicon, size=rng.integers(1, 5), replace=False)) for _ in range(12)]
    best = max(mean_f1(frozenset(chosen), texts) for size in range(1, 7) for chosen in combinations(lexicon, size))
    assert mean_f1(FixedWords().fit(texts).words_, texts) == pytest.approx(best)


@pytest.mark.parametrize(
    ("texts", "best"),
    [
        # All 600 words of the long texts: 1, 1 and 0; any fewer give less.
        ([" ".join(f"long{row}" for row in range(600))] * 2 + ["zebra"], 2 / 3),
        # Three texts of 420 words of their own and two of one word: that word, 2/5.
        ([" ".join(f"w{text}x{row}" for row in range(420)) for text in range(3)] + ["zebra"] * 2, 0.4),
    ],
)
def test_long_texts_and_rare_words_are_no_exception(texts, best):
    assert mean_f1(FixedWords().fit(texts).words_, texts) >= best - 1e-9


def test_texts_without_words_are_refused():
    with pytest.raises(InputError, match="none of 2 texts has a content word"):
        FixedWords().fit(["the of", "and"])


def test_it_guesses_the_same_for_every_vector():
    guesses = FixedWords().fit(["bank fee", "bank loan"]).infer(np.zeros((3, 2), np.float32))
    assert len(guesses.sets) == 3
    assert len(set(guesses.sets)) == 1
    assert guesses.ranked[0][0] == ("bank", 1.0)


def test_it_must_be_fitted_first():
    with pytest.raises(NotFitted):
        FixedWords().infer(np.zeros((1, 2), np.float32))
