"""Words: how a text splits into them, which carry content, and tokens with punctuation."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from unicodedata import normalize

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*|[.,!?;:()\"-]")
_SPACE_BEFORE_MARK = re.compile(r" ([.,!?;:)])")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_CONTRACTIONS = frozenset({"s", "d", "m", "t", "ll", "re", "ve"})
_CONTENT_AFTER_ALL = frozenset(
    re.findall(
        r"\w+",
        "amount bill bottom call cry describe detail empty fill find fire found front full give interest keep mill "
        "move name part put see serious show side sincere system take thick thin top",
    )
)
_MORE_STOP_WORDS = frozenset({"did", "does", "doing", "having", "just"})


def words(text: str) -> list[str]:
    """The words of a text in order and in lower case: letters and digits, with apostrophes inside; "1,000" is one."""
    return _WORD.findall(normalize("NFC", text).lower())


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each word; the text must be in Unicode's composed form (NFC)."""
    return [match.span() for match in _WORD.finditer(text)]


def count_words(text: str) -> int:
    """The number of words in a text, stop words included."""
    return len(_WORD.findall(text))


@lru_cache(maxsize=2**16)
def content_words(text: str) -> frozenset[str]:
    """The set of content words of a text: what an inversion tries to recover."""
    return frozenset(form for word in words(text) if (form := content_form(word)))


@cache
def content_form(word: str) -> str | None:
    """The form in which a word is counted, or None for a stop word or a single character.

    A contraction counts as its stem: "bank's" as "bank", and "it's", "they've" or "don't" not at all. A name such as
    "o'brien" stays whole.
    """
    word = word.replace("’", "'")
    stem, _, ending = word.rpartition("'")
    if stem and ending in _CONTRACTIONS:
        return None if ending == "t" and stem.endswith("n") else content_form(stem)
    return None if len(word) < 2 or word in stop_words() else word


@cache
def stop_words() -> frozenset[str]:
    """The English stop words of scikit-learn, without the nouns and verbs among them, and with five that it lacks."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return (frozenset(ENGLISH_STOP_WORDS) - _CONTENT_AFTER_ALL) | _MORE_STOP_WORDS


def unspaced_share(texts: Sequence[str]) -> float:
    """The share of characters from scripts without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    joined = "".join(texts[:: 1 + len(texts) // 200])  # From all over: a file may begin with another language.
    return len(_UNSPACED.findall(joined)) / max(len(joined), 1)


def tokenize(text: str) -> list[str]:
    """Words in lower case and punctuation marks, in order."""
    return _TOKEN.findall(normalize("NFC", text).lower())


def detokenize(tokens: Iterable[str]) -> str:
    """The text of these words and punctuation marks."""
    return _SPACE_BEFORE_MARK.sub(r"\1", " ".join(tokens)).replace("( ", "(")
