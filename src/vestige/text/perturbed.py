"""Perturbed texts: words substituted or removed, cut short, without capitals and punctuation.

`substitute_words` and `remove_words` build the pairs from which a defense estimates the sensitivity of an encoder.
`PERTURBATIONS` are the near copies with which a membership attack is tried by an adversary without the exact text.
"""

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.text.substitution import insert_keyword, list_other_words
from vestige.text.words import content_form, word_spans, words

TRUNCATED_SHARE = 0.7

Perturbation = Callable[[str, Sequence[str], np.random.Generator], str]
"""Takes a text, words to insert and a random generator; returns the perturbed text."""


@dataclass(frozen=True, slots=True)
class PerturbedTexts:
    """Pairs of texts, row by row."""

    original: list[str]
    perturbed: list[str]


def substitute_words(texts: Sequence[str], *, pairs: int = 10_000, rng: np.random.Generator) -> PerturbedTexts:
    """Random texts with one word of each replaced by another word of the texts (Pan et al. 2020, Appendix C)."""
    usable = _select_with_words(texts, fewest=1)
    others = list_other_words(usable, [])
    if len(others) < 2:
        raise InputError(f"{len(texts)} texts have {len(others)} different words; expected two or more to substitute")
    original: list[str] = []
    perturbed: list[str] = []
    while len(perturbed) < pairs:
        text = normalize("NFC", usable[int(rng.integers(len(usable)))])
        new = insert_keyword(text, others[int(rng.integers(len(others)))], rng)
        if words(new) != words(text):
            original.append(text)
            perturbed.append(new)
    return PerturbedTexts(original, perturbed)


def remove_words(
    texts: Sequence[str], *, documents: int = 1000, times: int = 5, rng: np.random.Generator
) -> PerturbedTexts:
    """Random texts, each paired with itself without its 1, 2, ... `times` most frequent words (Chen 2023, 6.0.1).

    Every occurrence of a removed word goes; at least one word stays. The paper does not state `times`.
    """
    usable = _select_with_words(texts, fewest=2)
    drawn = rng.permutation(len(usable))[:documents]
    original: list[str] = []
    perturbed: list[str] = []
    for text in (normalize("NFC", usable[row]) for row in np.sort(drawn)):
        frequent = [word for word, _ in Counter(words(text)).most_common()]
        for count in range(1, min(times, len(frequent) - 1) + 1):
            original.append(text)
            perturbed.append(_remove(text, set(frequent[:count])))
    return PerturbedTexts(original, perturbed)


def replace_words(
    text: str, count: int, rng: np.random.Generator, other: Callable[[str], str], known: Container[str]
) -> str:
    """Replace `count` random words of the text that are `known` by what `other` returns for them."""
    spans = [(start, end) for start, end in word_spans(text) if text[start:end].lower() in known]
    for start, end in sorted((spans[place] for place in rng.permutation(len(spans))[:count]), reverse=True):
        text = text[:start] + other(text[start:end].lower()) + text[end:]
    return text


def change_word(text: str, others: Sequence[str], rng: np.random.Generator) -> str:
    """Replace one content word by another of `others`, of which there must be two or more."""

    def another(word: str) -> str:
        place = int(rng.integers(len(others)))
        return others[place] if others[place] != word else others[place - 1]

    content = {word for word in words(text) if content_form(word)}
    return replace_words(normalize("NFC", text), 1, rng, another, content)


def truncate(text: str) -> str:
    """The first 70% of the words."""
    spans = word_spans(text)
    return text[: spans[round(TRUNCATED_SHARE * len(spans)) - 1][1]]


def strip_punctuation(text: str) -> str:
    """The words alone, in lower case."""
    return " ".join(words(text))


PERTURBATIONS: dict[str, Perturbation] = {
    "word for word": lambda text, _others, _rng: text,
    "a word changed": change_word,
    "cut to 70%": lambda text, _others, _rng: truncate(text),
    "no capitals, no marks": lambda text, _others, _rng: strip_punctuation(text),
}


def _select_with_words(texts: Sequence[str], *, fewest: int) -> list[str]:
    usable = [text for text in texts if len(set(words(text))) >= fewest]
    if not usable:
        raise InputError(f"none of {len(texts)} texts has {fewest} different words; expected at least one that does")
    return usable


def _remove(text: str, unwanted: set[str]) -> str:
    rest, end = "", 0
    for start, stop in word_spans(text):
        if text[start:stop].lower() in unwanted:
            rest, end = rest + text[end:start].rstrip(" "), stop
    return (rest + text[end:]).strip()
