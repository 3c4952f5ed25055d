"""What an inversion is taught from, by hand."""

import numpy as np
import pytest

from vestige.attacks.lesson import Lesson, worth_of
from vestige.text.vocabulary import Vocabulary


def lesson(**settings):
    texts = ["bank loan", "bank card", "bank", "loan letter"] * 5
    vectors = np.zeros((20, 2), np.float32)
    settings = {"vocabulary_size": 3, "rare_words": 1.0, **settings}
    return Lesson.of(vectors, texts, None, rng=np.random.default_rng(0), **settings)


def test_worth_is_the_rarity_scaled_to_a_mean_of_one():
    vocabulary = Vocabulary(("bank", "loan"), (15, 3))
    rarity = np.log([21 / 16, 21 / 4])
    assert worth_of(vocabulary, 20, 1.0) == pytest.approx(rarity / rarity.mean())
    assert worth_of(vocabulary, 20, 0.0) == pytest.approx([1, 1])


def test_a_word_outside_the_vocabulary_counts_as_the_rarest_inside():
    # bank 15, loan 10, card 5; letter, with as few texts as card, comes after it in the alphabet and is not known.
    taught = lesson()
    assert taught.vocabulary.words == ("bank", "loan", "card")
    bank, loan, card = taught.worth
    assert taught.counted(np.array([0, 1, 2, 3])) == pytest.approx([bank + loan, bank + card, bank, loan + card])


def test_without_rarity_every_word_counts_one():
    assert lesson(rare_words=0.0).counted(np.array([0, 1, 2, 3])).tolist() == [2, 2, 1, 2]
