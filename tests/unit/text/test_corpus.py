import pytest

from vestige.errors import InputError
from vestige.text.corpus import Corpus


def test_sentences_carry_their_document_and_attributes():
    corpus = Corpus("c", ["One two three. Four five six seven.", "Eight nine ten."], ["a", "b"], {"year": [1, 2]})
    sentences = corpus.sentences(3, 3)
    assert sentences.texts == ["One two three.", "Eight nine ten."]
    assert sentences.documents == ["a", "b"]
    assert sentences.attributes == {"year": [1, 2]}


def test_rows_without_a_document_are_documents_of_their_own():
    assert len(set(Corpus("c", ["a", "a", "b"]).documents)) == 3


def test_columns_must_be_as_long_as_the_texts():
    with pytest.raises(InputError, match="2 texts but 1 values in 'year'"):
        Corpus("c", ["a", "b"], attributes={"year": [1]})
