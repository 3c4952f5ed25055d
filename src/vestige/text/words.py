"""What counts as a word, and which words carry content."""

import re
from collections.abc import Sequence
from functools import cache
from unicodedata import normalize

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_ENDINGS = frozenset({"s", "d", "m", "t", "ll", "re", "ve"})
_CONTENT_AFTER_ALL = frozenset(
    re.findall(
        r"\w+",
        "amount bill bottom call cry describe detail empty fill find fire found front full give interest keep mill "
        "move name part put see serious show side sincere system take thick thin top",
    )
)
_EMPTY_AS_WELL = frozenset({"did", "does", "doing", "having", "just"})


@cache
def stop_words() -> frozenset[str]:
    """The English stop words of scikit-learn, less the nouns and verbs among them, and with what it forgets."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return (frozenset(ENGLISH_STOP_WORDS) - _CONTENT_AFTER_ALL) | _EMPTY_AS_WELL


def words(text: str) -> list[str]:
    """Every word of a text, lower-cased, in order: letters and digits, apostrophes inside a word, a number whole."""
    return _WORD.findall(normalize("NFC", text).lower())


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word of a text (in Unicode's composed form) begins and ends."""
    return [found.span() for found in _WORD.finditer(text)]


def count_words(text: str) -> int:
    """How many words a text has, stop words included."""
    return len(_WORD.findall(text))


@cache
def content_form(word: str) -> str | None:
    """The form under which a word is counted, or None for a stop word or a single character.

    A contraction counts as what it stands on: "bank's" as "bank", and "it's", "they've" or "don't" not at all; a name
    such as "o'brien" stays whole.
    """
    word = word.replace("’", "'")
    stem, _, ending = word.rpartition("'")
    if stem and ending in _ENDINGS:
        return None if ending == "t" and stem.endswith("n") else content_form(stem)
    return None if len(word) < 2 or word in stop_words() else word


def content_words(text: str) -> frozenset[str]:
    """The set of words that an inversion tries to read back."""
    return frozenset(form for word in words(text) if (form := content_form(word)))


def unspaced_share(texts: Sequence[str]) -> float:
    """The share of characters of scripts without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    joined = "".join(texts[:200])
    return len(_UNSPACED.findall(joined)) / max(len(joined), 1)
