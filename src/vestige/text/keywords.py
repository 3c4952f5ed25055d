"""Keywords: does a text contain one? A keyword is a word or several consecutive words, such as "hong kong"."""

from collections.abc import Sequence
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.text.words import word_spans
from vestige.types import Flags

Span = tuple[int, int]
_DOT_ABOVE = "\u0307"


def split_keyword(keyword: str) -> tuple[str, ...]:
    """The words of a keyword, without case, punctuation and genitive 's; a text must contain them consecutively."""
    forms = tuple(form for form, _ in locate_words(normalize("NFC", keyword)))
    if not forms:
        raise InputError(f"the keyword {keyword!r} has no word; use one or more words, such as 'hong kong'")
    return forms


def contains_keyword(text: str, keyword: str) -> bool:
    """Whether the text contains the words of the keyword consecutively."""
    return bool(keyword_table([text], [keyword])[0, 0])


def keyword_table(texts: Sequence[str], keywords: Sequence[str]) -> Flags:
    """Which text contains which keyword: one row per text, one column per keyword."""
    wanted = [split_keyword(keyword) for keyword in keywords]
    lengths = {len(forms) for forms in wanted}
    table = np.zeros((len(texts), len(wanted)), dtype=np.bool_)
    for row, text in enumerate(texts):
        found = [form for form, _ in locate_words(normalize("NFC", text))]
        runs = {tuple(found[start : start + length]) for length in lengths for start in range(len(found))}
        table[row] = [forms in runs for forms in wanted]
    return table


def locate_words(text: str) -> list[tuple[str, Span]]:
    """Each word of a text (in composed form, NFC) in lower case with its span, both without a genitive 's.

    The first letter of "İstanbul" becomes two characters in lower case; the dot is dropped so that spans stay correct.
    """
    placed = []
    for start, end in word_spans(text):
        word = text[start:end].lower().replace(_DOT_ABOVE, "")
        form = strip_genitive(word)
        placed.append((form, (start, end - len(word) + len(form))))
    return placed


def strip_genitive(word: str) -> str:
    """The word without a genitive 's: "london" for "london's"."""
    return word.replace("’", "'").removesuffix("'s")
