"""Words and sentences, whatever the text."""

from hypothesis import given
from hypothesis import strategies as st

from vestige.text.sentences import split_sentences
from vestige.text.words import content_words, stop_words


@given(st.text())
def test_any_text_has_words_and_sentences(text):
    found = content_words(text)
    assert not found & stop_words()
    assert all(len(word) > 1 and "’" not in word for word in found)
    assert all(sentence.strip() == sentence and sentence for sentence in split_sentences(text))
