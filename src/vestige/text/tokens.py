"""A text as the words and marks that it is written with, and back."""

import re
from collections.abc import Iterable
from unicodedata import normalize

_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*|[.,!?;:()\"-]")
_SPACE_BEFORE_MARK = re.compile(r" ([.,!?;:)])")


def tokens(text: str) -> list[str]:
    """Lower-cased words and punctuation marks, in order."""
    return _TOKEN.findall(normalize("NFC", text).lower())


def written(words: Iterable[str]) -> str:
    """The text that these words and marks make."""
    return _SPACE_BEFORE_MARK.sub(r"\1", " ".join(words)).replace("( ", "(")
