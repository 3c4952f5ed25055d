"""Sensitive words: a short shipped list of words about health, religion, money ... that owners want to stay private."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from vestige.text.words import words

LIST = Path(__file__).parent / "data" / "sensitive.toml"


@cache
def categories() -> dict[str, str]:
    """Each word of the list with its category: health, religion, money ..."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return {word: category for category, members in listed.items() for word in members}


def sensitive_words(texts: Sequence[str], documents: Sequence[str], fewest: int) -> list[str]:
    """The listed words that at least `fewest` documents contain and at least `fewest` lack.

    First the most frequent word of each category, in the order of the list, then the second most frequent, and so on,
    so that no category crowds out the others.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    for text, document in zip(texts, documents, strict=True):
        for word in set(words(text)) & categories().keys():
            holders[word].add(document)
    most = len(set(documents)) - fewest
    selected = [word for word, held in holders.items() if fewest <= len(held) <= most]
    selected.sort(key=lambda word: (-len(holders[word]), word))
    counts = Counter[str]()
    ranks = {}
    for word in selected:
        ranks[word] = counts[categories()[word]]
        counts[categories()[word]] += 1
    order = list(dict.fromkeys(categories().values()))
    return sorted(selected, key=lambda word: (ranks[word], order.index(categories()[word])))
