import math

import numpy as np
import pytest

from vestige.encoders.bag_of_words import Hashing, TfidfRecipe, parse_tfidf
from vestige.encoders.load import load_learned
from vestige.encoders.lsa import LsaRecipe
from vestige.errors import InputError
from vestige.text.corpus import Corpus

CORPUS = Corpus("four", ["bank bank fee", "fee loan", "loan court", "court judge"])


def _rng():
    return np.random.default_rng(0)


def test_tfidf_by_hand():
    """idf = ln((1 + 4) / (1 + df)) + 1: bank 1.9163, fee 1.5108; two banks and a fee, scaled to unit length."""
    encoder = TfidfRecipe().fit(CORPUS, rng=_rng())
    assert encoder.words == ["bank", "court", "fee", "judge", "loan"]
    bank, fee = 2 * (math.log(5 / 2) + 1), math.log(5 / 3) + 1
    expected = np.array([bank, 0, fee, 0, 0]) / math.hypot(bank, fee)
    assert np.allclose(encoder.encode(["Bank, bank: the FEE!"])[0], expected, atol=1e-6)


def test_words_of_more_than_half_the_texts_are_ignored():
    corpus = Corpus("often", ["fee bank", "fee loan", "fee court", "judge loan"])
    assert "fee" not in TfidfRecipe().fit(corpus, rng=_rng()).words


def test_stop_words_and_single_letters_are_not_words():
    corpus = Corpus("small", ["the bank a b", "of the loan", "x court", "judge"])
    assert TfidfRecipe().fit(corpus, rng=_rng()).words == ["bank", "court", "judge", "loan"]


def test_a_corpus_without_words_is_refused():
    with pytest.raises(InputError, match=r"corpus 'nothing' has no word for tfidf; .* give more texts"):
        TfidfRecipe().fit(Corpus("nothing", ["the", "of"]), rng=_rng())


def test_hashing_is_signed_unit_length_and_as_wide_as_asked():
    vectors = Hashing(64).encode(["bank", "bank bank", "fee loan court judge"])
    assert vectors.shape == (3, 64)
    assert (vectors[0] == vectors[1]).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    many = Hashing(2**18).encode([f"word{row}" for row in range(200)])
    assert (many < 0).any()
    assert (many > 0).any()


def test_a_text_of_unknown_words_is_zero():
    for recipe in (TfidfRecipe(), LsaRecipe(TfidfRecipe(), dimension=2)):
        assert not recipe.fit(CORPUS, rng=_rng()).encode(["zebra"]).any()


def test_words_that_are_left_out_have_no_column_and_no_effect(tmp_path):
    (tmp_path / "secret.txt").write_text("Insulin\n\ndiabetes\n")
    corpus = Corpus("letters", ["insulin costs money", "diabetes costs years", "money buys bread", "bread lasts"])
    plain, without, few = (
        load_learned(f"tfidf{argument}", corpus).fit()
        for argument in ("", f":without={tmp_path / 'secret.txt'}", f":3,without={tmp_path / 'secret.txt'}")
    )
    assert {"insulin", "diabetes"} <= set(plain.words), "positive control"
    assert set(plain.words) - set(without.words) == {"insulin", "diabetes"}
    assert (without.encode(["insulin money"]) == without.encode(["money"])).all()
    assert (plain.encode(["insulin money"]) != plain.encode(["money"])).any()
    assert few.dimension == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "names no file"), ("\n", "is empty"), ("two words\n", "has 'two words', expected one word per line")],
)
def test_a_list_that_makes_no_sense_is_refused(content, message, tmp_path):
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=message):
        parse_tfidf(f"without={path}")
