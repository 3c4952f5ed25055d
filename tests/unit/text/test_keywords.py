import pytest

from vestige.errors import InputError
from vestige.text.keywords import holds, keyword_table


@pytest.mark.parametrize(
    ("text", "keyword", "held"),
    [
        ("We left HONG KONG at noon.", "hong kong", True),
        ("We left hong, kong at noon.", "Hong Kong", True),
        ("Kong and Hong left.", "hong kong", False),
        ("Hong went, and Kong stayed.", "hong kong", False),
        ("Londoners are many.", "london", False),
        ("London's airport, London’s lounge", "london", True),
        ("A cafe\u0301 nearby", "café", True),
        ("", "london", False),
    ],
)
def test_a_keyword_is_a_run_of_whole_words(text, keyword, held):
    assert holds(text, keyword) is held


def test_the_table_has_a_row_a_text_and_a_column_a_keyword():
    table = keyword_table(["Dubai to New York", "York is new", "New York, New York"], ["new york", "dubai", "york"])
    assert table.tolist() == [[True, True, True], [False, False, True], [True, False, True]]


def test_a_keyword_without_a_word_is_refused():
    with pytest.raises(InputError, match=r"'\.\.\.' has no word"):
        keyword_table(["a text"], ["..."])
