"""The indicator matrix, whatever the words."""

from hypothesis import given
from hypothesis import strategies as st

from vestige.text.vocabulary import Vocabulary

word = st.sampled_from(["bank", "loan", "debt", "card", "rate", "fraud", "fee"])
word_sets = st.lists(st.sets(word, min_size=1), min_size=1, max_size=8)


@given(word_sets, st.integers(1, 10))
def test_the_indicator_marks_the_words_of_each_text(sets, size):
    vocabulary = Vocabulary.build(sets, size)
    matrix = vocabulary.indicator(sets).toarray()
    expected = [[float(word in words) for word in vocabulary.words] for words in sets]
    assert matrix.tolist() == expected
    assert matrix.sum(axis=0).tolist() == list(vocabulary.counts)
