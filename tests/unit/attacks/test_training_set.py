"""What an inversion is pairs from, by hand."""

import numpy as np
import pytest

from vestige.attacks.training_set import TrainingSet, choose_words, hold_out, rarity_weights
from vestige.errors import InputError
from vestige.text.vocabulary import Vocabulary


def training_set(**settings):
    texts = ["bank loan", "bank card", "bank", "loan letter"] * 5
    vectors = np.zeros((20, 2), np.float32)
    settings = {"vocabulary_size": 3, "rare_words": 1.0, **settings}
    return TrainingSet.build(vectors, texts, None, rng=np.random.default_rng(0), **settings)


def test_weights_are_the_rarity_scaled_to_a_mean_of_one():
    vocabulary = Vocabulary(("bank", "loan"), (15, 3))
    rarity = np.log([21 / 16, 21 / 4])
    assert rarity_weights(vocabulary, 20, 1.0) == pytest.approx(rarity / rarity.mean())
    assert rarity_weights(vocabulary, 20, 0.0) == pytest.approx([1, 1])


def test_a_word_outside_the_vocabulary_counts_as_the_rarest_inside():
    # bank 15, loan 10, card 5; letter, with as few texts as card, comes after it in the alphabet and is not known.
    pairs = training_set()
    assert pairs.vocabulary.words == ("bank", "loan", "card")
    bank, loan, card = pairs.weights
    assert pairs.total_weights(np.array([0, 1, 2, 3])) == pytest.approx([bank + loan, bank + card, bank, loan + card])


def test_without_rarity_every_word_counts_one():
    assert training_set(rare_words=0.0).total_weights(np.array([0, 1, 2, 3])).tolist() == [2, 2, 1, 2]


def test_the_words_that_count_by_hand():
    text = "The bank and l'ispezione della banca"
    assert choose_words("content")("the bank and I") == {"bank"}
    assert choose_words("all")("the bank and I") == {"the", "bank", "and", "i"}
    assert choose_words("content:it")(text) >= {"ispezione", "banca"}
    assert "della" not in choose_words("content:it")(text)
    for unknown in ("some", "content:xx", "all:it"):
        with pytest.raises(InputError):
            choose_words(unknown)


@pytest.mark.parametrize("kind", [list, np.array])
def test_a_tenth_is_held_out_and_no_document_is_in_both_parts(kind):
    documents = [str(row // 5) for row in range(100)]
    train, held_out = hold_out(100, kind(documents), np.random.default_rng(0))
    assert len(held_out) == 10
    assert sorted([*train, *held_out]) == list(range(100))
    assert not {documents[row] for row in train} & {documents[row] for row in held_out}


def test_without_documents_every_row_is_its_own():
    train, held_out = hold_out(100, None, np.random.default_rng(0))
    assert (len(train), len(held_out)) == (90, 10)


@pytest.mark.parametrize("seed", range(4))
def test_a_document_of_nearly_all_rows_is_learned_from(seed):
    train, held_out = hold_out(200, ["large"] * 198 + ["small"] * 2, np.random.default_rng(seed))
    assert (len(train), held_out.tolist()) == (198, [198, 199])


def test_one_document_alone_is_split_by_rows():
    train, held_out = hold_out(50, ["one"] * 50, np.random.default_rng(0))
    assert (len(train), len(held_out)) == (45, 5)
