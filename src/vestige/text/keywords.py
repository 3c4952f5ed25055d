"""Does a text hold a keyword? A keyword is a word, or several in a row: "hong kong"."""

from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.text.words import words
from vestige.types import Flags


def keyword_words(keyword: str) -> tuple[str, ...]:
    """The words that a text must hold one after another; case and punctuation do not count, nor does a genitive's s."""
    found = tuple(map(without_genitive, words(keyword)))
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
        found = [without_genitive(word) for word in words(text)]
        runs = {tuple(found[start : start + length]) for length in lengths for start in range(len(found))}
        table[row] = [each in runs for each in wanted]
    return table


def without_genitive(word: str) -> str:
    """ "london's" names London as "london" does."""
    return word.replace("’", "'").removesuffix("'s")
