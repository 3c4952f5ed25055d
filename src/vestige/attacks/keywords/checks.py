"""What keyword attacks ask of the keywords and the examples they are given."""

from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.text.keywords import keyword_words
from vestige.types import Flags


def as_keywords(given: Sequence[str]) -> tuple[str, ...]:
    """Some keywords, each with a word in it, none twice."""
    if isinstance(given, str) or not given:
        raise InputError(f"keywords={given!r} names no list of keywords; give one or more, such as ['hong kong']")
    seen: dict[tuple[str, ...], str] = {}
    for keyword in given:
        words = keyword_words(keyword)
        if words in seen:
            raise InputError(f"the keywords {seen[words]!r} and {keyword!r} are the same words; give each once")
        seen[words] = keyword
    return tuple(given)


def check_both_sides(labels: Flags, keywords: Sequence[str], remedy: str) -> None:
    """There is no learning a keyword that no example holds, or that all hold."""
    for keyword, share in zip(keywords, labels.mean(axis=0), strict=True):
        if share in (0, 1):
            found = "none" if share == 0 else "each"
            raise InputError(
                f"{found} of the {len(labels)} texts holds the keyword {keyword!r}; "
                f"expected some that do and some that do not; {remedy}"
            )


def as_labels(given: object, texts: int, keywords: Sequence[str]) -> Flags:
    """A table of flags, a row a text and a column a keyword."""
    labels = np.asarray(given)
    if labels.shape != (texts, len(keywords)) or not np.isin(labels, (0, 1)).all():
        raise InputError(
            f"the labels have shape {labels.shape} for {texts} vectors and {len(keywords)} keywords; "
            "give a table of flags, a row a vector and a column a keyword"
        )
    return labels.astype(np.bool_)
