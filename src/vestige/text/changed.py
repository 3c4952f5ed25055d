"""Texts and the same texts with a word changed: what the sensitivity of an encoder is estimated from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.text.substitution import other_words, put_in
from vestige.text.words import word_spans, words


@dataclass(frozen=True, slots=True)
class ChangedTexts:
    """Pairs, row by row."""

    original: list[str]
    changed: list[str]


def substituted(texts: Sequence[str], *, pairs: int = 10_000, rng: np.random.Generator) -> ChangedTexts:
    """Texts drawn at random, one word of each replaced by another word of the texts (Pan et al. 2020, Appendix C)."""
    usable = _with_words(texts, fewest=1)
    others = other_words(usable, [])
    if len(others) < 2:
        raise InputError(f"{len(texts)} texts have {len(others)} different words; expected two or more to substitute")
    original: list[str] = []
    changed: list[str] = []
    while len(changed) < pairs:
        text = normalize("NFC", usable[int(rng.integers(len(usable)))])
        new = put_in(text, others[int(rng.integers(len(others)))], rng)
        if words(new) != words(text):
            original.append(text)
            changed.append(new)
    return ChangedTexts(original, changed)


def removed(texts: Sequence[str], *, documents: int = 1000, times: int = 5, rng: np.random.Generator) -> ChangedTexts:
    """Texts drawn at random, each `times` over without the most frequent word that it still had (Chen 2023, 6.0.1).

    Every occurrence goes, each time beside those of the times before, and a text that has one word left is left at
    that. How many times is not stated there.
    """
    usable = _with_words(texts, fewest=2)
    drawn = rng.permutation(len(usable))[:documents]
    original: list[str] = []
    changed: list[str] = []
    for text in (normalize("NFC", usable[row]) for row in np.sort(drawn)):
        frequent = [word for word, _ in Counter(words(text)).most_common()]
        for count in range(1, min(times, len(frequent) - 1) + 1):
            original.append(text)
            changed.append(_without(text, set(frequent[:count])))
    return ChangedTexts(original, changed)


def _with_words(texts: Sequence[str], *, fewest: int) -> list[str]:
    usable = [text for text in texts if len(set(words(text))) >= fewest]
    if not usable:
        raise InputError(f"none of {len(texts)} texts has {fewest} different words; expected some to change a word in")
    return usable


def _without(text: str, unwanted: set[str]) -> str:
    kept, end = "", 0
    for start, stop in word_spans(text):
        if text[start:stop].lower() in unwanted:
            kept, end = kept + text[end:start].rstrip(" "), stop
    return (kept + text[end:]).strip()
