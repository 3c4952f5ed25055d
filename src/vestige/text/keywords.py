"""Does a text hold a keyword? A keyword is a word, or several in a row: "hong kong"."""

from collections.abc import Sequence
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.text.words import word_spans
from vestige.types import Flags

Span = tuple[int, int]
_DOT_ABOVE = "\u0307"


def keyword_words(keyword: str) -> tuple[str, ...]:
    """The words that a text must hold one after another; case and punctuation do not count, nor does a genitive's s."""
    found = tuple(form for form, _ in placed_words(normalize("NFC", keyword)))
    if not found:
        raise InputError(f"the keyword {keyword!r} has no word; give one or more words, such as 'hong kong'")
    return found


def holds(text: str, keyword: str) -> bool:
    """Whether the words of the keyword stand in the text, one after another."""
    return bool(keyword_table([text], [keyword])[0, 0])


def keyword_table(texts: Sequence[str], keywords: Sequence[str]) -> Flags:
    """Which text (a row) holds which keyword (a column)."""
    wanted = [keyword_words(keyword) for keyword in keywords]
    lengths = {len(each) for each in wanted}
    table = np.zeros((len(texts), len(wanted)), dtype=np.bool_)
    for row, text in enumerate(texts):
        found = [form for form, _ in placed_words(normalize("NFC", text))]
        runs = {tuple(found[start : start + length]) for length in lengths for start in range(len(found))}
        table[row] = [each in runs for each in wanted]
    return table


def placed_words(text: str) -> list[tuple[str, Span]]:
    """Each word of a text (in Unicode's composed form), lower-cased, and where it stands, a genitive's s left outside.

    The first letter of "İstanbul" is one, and two when lower-cased: the dot is left out, so that spans stay true.
    """
    placed = []
    for start, end in word_spans(text):
        word = text[start:end].lower().replace(_DOT_ABOVE, "")
        form = without_genitive(word)
        placed.append((form, (start, end - len(word) + len(form))))
    return placed


def without_genitive(word: str) -> str:
    """ "london's" names London as "london" does."""
    return word.replace("’", "'").removesuffix("'s")
