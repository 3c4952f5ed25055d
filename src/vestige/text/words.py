"""What counts as a word, and which words carry content."""

import re
from functools import cache

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")


@cache
def stop_words() -> frozenset[str]:
    """The English stop words of scikit-learn."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


def words(text: str) -> list[str]:
    """Every word of a text, lower-cased, in order: letters and digits, apostrophes inside a word, a number whole."""
    return _WORD.findall(text.lower())


def count_words(text: str) -> int:
    """How many words a text has, stop words included."""
    return len(_WORD.findall(text))


@cache
def content_form(word: str) -> str | None:
    """The form under which a word is counted, or None for a stop word or a single character.

    A contraction counts as what it stands on: "bank's" as "bank", and "it's", "they've" or "don't" not at all.
    """
    stem, apostrophe, ending = word.replace("’", "'").partition("'")
    if apostrophe and ending == "t" and stem.endswith("n"):
        return None
    return None if len(stem) < 2 or stem in stop_words() else stem


def content_words(text: str) -> frozenset[str]:
    """The set of words that an inversion tries to read back."""
    return frozenset(form for word in words(text) if (form := content_form(word)))
