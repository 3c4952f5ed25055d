"""Words as the Penn Treebank splits them."""

import pytest

from vestige.encoders.treebank import treebank_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I can't go, Mr. Smith.", "I ca n't go , Mr. Smith ."),
        ("They'll say: it's John's!", "They 'll say : it 's John 's !"),
        ("Good muffins cost $3.88 (in New York).", "Good muffins cost $ 3.88 ( in New York ) ."),
        ('He said "no" -- twice...', "He said `` no '' -- twice ..."),
        ("We cannot wait until 10:30.", "We can not wait until 10:30 ."),
        ("", ""),
    ],
)
def test_words_and_marks(text, expected):
    assert " ".join(treebank_words(text)) == expected


def test_a_full_stop_is_split_off_in_every_sentence():
    assert treebank_words("It rained. We left.") == ["It", "rained", ".", "We", "left", "."]
