"""Splits and samples, whatever the documents."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vestige.text.split import find_copies, sample_rows, split_documents

word = st.sampled_from(["bank", "loan", "debt", "card", "rate", "fraud", "fee"])


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2), st.floats(0.1, 0.9), st.integers(0, 99))
def test_a_document_is_never_on_both_sides(documents, share, seed):
    split = split_documents(documents, share, np.random.default_rng(seed))
    assert sorted(split.auxiliary + split.target) == list(range(len(documents)))
    assert not {documents[row] for row in split.auxiliary} & {documents[row] for row in split.target}


@given(st.lists(st.integers(0, 500), unique=True), st.integers(0, 50), st.integers(0, 9))
def test_a_sample_is_a_subset_of_the_rows(rows, most, seed):
    drawn = sample_rows(rows, most, np.random.default_rng(seed))
    assert len(drawn) == min(most, len(rows))
    assert set(drawn) <= set(rows)


@given(st.lists(word, min_size=1, max_size=6))
def test_a_copy_in_other_case_and_punctuation_is_found(chosen):
    text = " ".join(chosen)
    texts = [text.upper() + "!", ", ".join(chosen), f"  {text}  ", f"{text} bond"]
    assert find_copies(texts, [text]) == [0, 1, 2]
    assert find_copies(texts, [f"Bond card bond. {text.capitalize()}."]) == [0, 1, 2]
