import pytest

from vestige.errors import InputError
from vestige.text.keywords import contains_keyword, keyword_table


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
        ("A week in İstanbul.", "İstanbul", True),
        ("A week in İstanbul.", "istanbul", True),
        ("A week in İstanbul.", "stanbul", False),
    ],
)
def test_a_keyword_is_a_run_of_whole_words(text, keyword, held):
    assert contains_keyword(text, keyword) is held


def test_the_table_has_one_row_per_text_and_one_column_per_keyword():
    table = keyword_table(["Dubai to New York", "York is new", "New York, New York"], ["new york", "dubai", "york"])
    assert table.tolist() == [[True, True, True], [False, False, True], [True, False, True]]


def test_a_keyword_without_a_word_is_rejected():
    with pytest.raises(InputError, match=r"'\.\.\.' has no word"):
        keyword_table(["a text"], ["..."])
