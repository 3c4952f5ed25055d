import numpy as np
import pytest
import torch

from vestige.attacks.dictionary import LengthEstimator, mean_word_vectors, score_atoms, tokenize_texts
from vestige.errors import InputError
from vestige.text.words import words

SPELLING = {"bank": ["bank"], "banker": ["bank", "##er"], "the": ["the"], "account": ["acc", "##ount"]}


class PieceBox:
    words = ("bank", "##er", "the", "acc", "##ount", "zebra")
    word_matrix = torch.arange(12.0).reshape(6, 2)
    layers = 0

    def word_ids(self, text):
        return [self.words.index(piece) for word in words(text) for piece in SPELLING.get(word, [])]


TEXTS = ["The banker the bank", "the account", "The bank"]


def test_pieces_are_the_most_frequent_of_the_texts():
    reading = tokenize_texts(PieceBox(), TEXTS, "pieces", 2)
    assert reading.dictionary.names == ("the", "bank")
    assert reading.dictionary.claimable.all()
    assert reading.contains.toarray().tolist() == [[1, 1], [1, 0], [1, 1]]
    assert reading.sizes.tolist() == [3, 3, 2]


def test_without_a_size_every_piece_of_the_encoder_is_there_and_every_word_of_the_texts():
    reading = tokenize_texts(PieceBox(), TEXTS, "pieces", None)
    assert reading.dictionary.names == ("the", "bank", "##er", "acc", "##ount", "zebra")
    assert reading.contains.toarray().tolist() == [[1, 1, 1, 0, 0, 0], [1, 0, 0, 1, 1, 0], [1, 1, 0, 0, 0, 0]]
    assert tokenize_texts(PieceBox(), TEXTS, "words", None).dictionary.claimable.sum() == 3


def test_candidates_are_hits_where_the_text_contains_them_and_they_can_be_guessed():
    """By hand: atoms bank, account, banker, and the stop word; the first text has all but "account"."""
    reading = tokenize_texts(PieceBox(), TEXTS, "words", 10)
    scored = score_atoms(reading, np.array([0]), np.array([[3, 1, 2]]), np.array([[0.9, 0.5, 0.2]], np.float32))
    assert scored.scores.tolist() == [[-np.inf, 0.5, pytest.approx(0.2)]]
    assert scored.hits.tolist() == [[False, False, True]]
    assert scored.sizes.tolist() == [2]


def test_a_content_word_is_the_sum_of_its_pieces_and_stop_words_stand_beside():
    reading = tokenize_texts(PieceBox(), TEXTS, "words", 10)
    dictionary = reading.dictionary
    assert dictionary.names == ("bank", "account", "banker", "the")
    assert dictionary.claimable.tolist() == [True, True, True, False]
    assert dictionary.lengths.tolist() == [1, 2, 2, 1]
    assert dictionary.vectors(PieceBox.word_matrix.numpy()).tolist() == [[0, 1], [14, 16], [2, 4], [4, 5]]
    assert reading.contains.toarray().tolist() == [[1, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 1]]
    assert reading.sizes.tolist() == [2, 1, 1]


def test_pieces_of_words_beyond_the_vocabulary_stand_beside_too():
    dictionary = tokenize_texts(PieceBox(), TEXTS, "words", 1).dictionary
    assert set(dictionary.names) == {"bank", "the", "##er", "acc", "##ount"}
    assert dictionary.claimable.sum() == 1


def test_the_mean_of_words():
    means = mean_word_vectors(PieceBox.word_matrix.numpy(), [[0, 1, 1], [], [5]])
    assert means == pytest.approx(np.array([[4 / 3, 7 / 3], [0, 0], [10, 11]]))


def test_texts_without_a_known_word_are_refused():
    with pytest.raises(InputError, match="none of 2 texts has a word"):
        tokenize_texts(PieceBox(), ["quiet", "night"], "words", 5)


def test_lengths_are_estimated_by_their_logarithm_and_never_beyond_the_longest():
    ids = [[0] * length for length in range(1, 41)]
    vectors = np.log(np.arange(1, 41, dtype=np.float32))[:, None]
    rows = np.arange(40)
    estimator = LengthEstimator.fit(vectors, ids, rows[::2], rows[1::2])
    assert estimator.estimate(np.log([[1.0], [7.0], [30.0], [500.0]]).astype(np.float32)) == [1, 7, 30, 40]


def test_rows_are_held_out_among_texts_with_pieces():
    texts = tokenize_texts(PieceBox(), ["the bank", "unknown words"] * 30, "pieces", None)
    train, held_out = texts.hold_out([str(row // 4) for row in range(60)], np.random.default_rng(0))
    assert sorted([*train, *held_out]) == list(range(0, 60, 2))
    assert not {row // 4 for row in train} & {row // 4 for row in held_out}
    with pytest.raises(InputError, match="10 of 20 texts have a word that the encoder knows; fit needs at least 20"):
        tokenize_texts(PieceBox(), ["the bank", "unknown words"] * 10, "pieces", None).hold_out(
            None, np.random.default_rng(0)
        )
