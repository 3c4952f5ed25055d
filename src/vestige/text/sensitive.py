"""Words that tell what owners of text want kept private, from a short list that is shipped."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from vestige.text.words import words

LIST = Path(__file__).parent / "data" / "sensitive.toml"


@cache
def categories() -> dict[str, str]:
    """Each word of the list, and what it tells about: health, religion, money ..."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return {word: category for category, members in listed.items() for word in members}


def sensitive_words(texts: Sequence[str], documents: Sequence[str], fewest: int) -> list[str]:
    """The listed words that stand in `fewest` documents or more and are missing in as many.

    The commonest of each category in turn, in the order of the list, so that no category crowds out the others.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    for text, document in zip(texts, documents, strict=True):
        for word in set(words(text)) & categories().keys():
            holders[word].add(document)
    most = len(set(documents)) - fewest
    kept = [word for word, held in holders.items() if fewest <= len(held) <= most]
    kept.sort(key=lambda word: (-len(holders[word]), word))
    in_turn = Counter[str]()
    turns = {}
    for word in kept:
        turns[word] = in_turn[categories()[word]]
        in_turn[categories()[word]] += 1
    order = list(dict.fromkeys(categories().values()))
    return sorted(kept, key=lambda word: (turns[word], order.index(categories()[word])))
