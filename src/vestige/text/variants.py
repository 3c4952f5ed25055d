"""A text as somebody has it who did not copy it: a word changed, cut short, without capitals and marks."""

from collections.abc import Callable, Container, Sequence
from unicodedata import normalize

import numpy as np

from vestige.text.words import content_form, word_spans, words

KEPT = 0.7

Change = Callable[[str, Sequence[str], np.random.Generator], str]
"""From a text, words that may be put into it, and a source of chance to the text as it is remembered."""


def replaced(
    text: str, count: int, rng: np.random.Generator, other: Callable[[str], str], known: Container[str]
) -> str:
    """So many `known` words of the text, drawn at random, each in the form that `other` gives it."""
    spans = [(start, end) for start, end in word_spans(text) if text[start:end].lower() in known]
    for start, end in sorted((spans[place] for place in rng.permutation(len(spans))[:count]), reverse=True):
        text = text[:start] + other(text[start:end].lower()) + text[end:]
    return text


def word_changed(text: str, others: Sequence[str], rng: np.random.Generator) -> str:
    """One content word made another of the `others`, which must be two or more."""

    def another(word: str) -> str:
        place = int(rng.integers(len(others)))
        return others[place] if others[place] != word else others[place - 1]

    content = {word for word in words(text) if content_form(word)}
    return replaced(normalize("NFC", text), 1, rng, another, content)


def cut_short(text: str) -> str:
    """The first 70% of its words."""
    spans = word_spans(text)
    return text[: spans[round(KEPT * len(spans)) - 1][1]]


def without_marks(text: str) -> str:
    """Its words alone, in small letters."""
    return " ".join(words(text))


VARIANTS: dict[str, Change] = {
    "word for word": lambda text, _others, _rng: text,
    "a word changed": word_changed,
    "cut to 70%": lambda text, _others, _rng: cut_short(text),
    "no capitals, no marks": lambda text, _others, _rng: without_marks(text),
}
