"""What must hold whatever comes in."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vestige.case.codec import dumps, from_plain
from vestige.case.findings import Bar, Chart
from vestige.encoders.batching import equal_length_batches
from vestige.metrics.word_recovery import rarity, word_recovery
from vestige.text.sentences import split_sentences
from vestige.text.split import copies, sample_rows, split_documents
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words, stop_words
from vestige.types import Score

word = st.sampled_from(["bank", "loan", "debt", "card", "rate", "fraud", "fee"])
word_sets = st.lists(st.sets(word, min_size=1), min_size=1, max_size=8)


@given(st.data(), word_sets)
def test_scores_lie_between_nought_and_one_and_f1_between_its_parts(data, truth):
    guessed = data.draw(st.lists(st.sets(word), min_size=len(truth), max_size=len(truth)))
    for weight in (lambda _: 1.0, rarity(truth)):
        scores = word_recovery(guessed, truth, weight)
        table = np.stack([scores.precision, scores.recall, scores.f1])
        assert ((table >= 0) & (table <= 1 + 1e-9)).all()
        assert (scores.f1 <= np.maximum(scores.precision, scores.recall) + 1e-9).all()
        assert (scores.f1 >= np.minimum(scores.precision, scores.recall) - 1e-9).all()


@given(word_sets)
def test_swapping_guess_and_truth_swaps_precision_and_recall(truth):
    guessed = truth[::-1]
    there, back = word_recovery(guessed, truth), word_recovery(truth, guessed)
    assert np.allclose(there.precision, back.recall)
    assert np.allclose(there.f1, back.f1)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2), st.floats(0.1, 0.9), st.integers(0, 99))
def test_a_document_is_never_on_both_sides(documents, share, seed):
    split = split_documents(documents, share, np.random.default_rng(seed))
    assert sorted(split.auxiliary + split.target) == list(range(len(documents)))
    assert not {documents[row] for row in split.auxiliary} & {documents[row] for row in split.target}


@given(st.lists(st.integers(0, 500), unique=True), st.integers(0, 50), st.integers(0, 9))
def test_a_sample_is_part_of_what_it_was_drawn_from(rows, most, seed):
    drawn = sample_rows(rows, most, np.random.default_rng(seed))
    assert len(drawn) == min(most, len(rows))
    assert set(drawn) <= set(rows)


@given(st.lists(st.integers(1, 6)), st.integers(1, 4))
def test_batches_hold_every_row_once_and_one_length_each(lengths, size):
    batches = list(equal_length_batches(lengths, size))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len({lengths[row] for row in batch}) == 1 and len(batch) <= size for batch in batches)


@given(word_sets, st.integers(1, 10))
def test_the_indicator_says_who_holds_what(sets, size):
    vocabulary = Vocabulary.build(sets, size)
    matrix = vocabulary.indicator(sets).toarray()
    expected = [[float(word in words) for word in vocabulary.words] for words in sets]
    assert matrix.tolist() == expected
    assert matrix.sum(axis=0).tolist() == list(vocabulary.counts)


@given(st.text())
def test_any_text_has_words_and_sentences(text):
    found = content_words(text)
    assert not found & stop_words()
    assert all(len(word) > 1 and "’" not in word for word in found)
    assert all(sentence.strip() == sentence and sentence for sentence in split_sentences(text))


@given(st.lists(word, min_size=1, max_size=6))
def test_a_copy_in_other_case_and_punctuation_does_not_pass(chosen):
    text = " ".join(chosen)
    texts = [text.upper() + "!", ", ".join(chosen), f"  {text}  ", f"{text} bond"]
    assert copies(texts, [text]) == [0, 1, 2]
    assert copies(texts, [f"Bond card bond. {text.capitalize()}."]) == [0, 1, 2]


finite = st.floats(-1e3, 1e3)
scores = st.builds(Score, finite, finite, finite, st.integers(0, 10**6), st.none() | finite)


@settings(max_examples=50)
@given(st.builds(Chart, st.text(), st.text(), st.lists(st.builds(Bar, st.text(), scores)).map(tuple)))
def test_a_record_survives_json(chart):
    written = dumps(chart)
    assert dumps(from_plain(Chart, json.loads(written))) == written
