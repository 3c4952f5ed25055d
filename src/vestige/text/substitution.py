"""Word substitution (Pan et al. 2020, Section VI-B): a keyword put into a text, or taken out of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.text.keywords import keyword_table, keyword_words, without_genitive
from vestige.text.words import word_spans, words
from vestige.types import Flags

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Texts made for learning keywords: `labels` has a row a text, a column a keyword."""

    texts: list[str]
    labels: Flags


def external_examples(
    texts: Sequence[str],
    keywords: Sequence[str],
    *,
    size: int = 2000,
    rng: np.random.Generator,
    pivot: str | None = None,
) -> LabelledTexts:
    """From unrelated texts, `size` that hold none of the keywords, and each of these again with each keyword put in.

    A word drawn at random gives way: to another word of these texts, and then to each keyword. With a `pivot` it is
    that word, and only texts that hold it are used (Pan et al.: 2000 sentences with "salad"). Fewer than `size` where
    there are no more.
    """
    usable = ~keyword_table(texts, keywords).any(axis=1)
    usable &= keyword_table(texts, [pivot])[:, 0] if pivot else np.array([bool(words(text)) for text in texts])
    rows = np.flatnonzero(usable)
    if not len(rows):
        asked = f" and holds {pivot!r}" if pivot else ""
        raise InputError(f"none of {len(texts)} texts is free of the keywords{asked}; give other texts")
    chosen = [texts[row] for row in np.sort(rng.permutation(rows)[:size])]
    others = other_words(chosen, [*keywords, pivot] if pivot else keywords)

    def changed(text: str, new: str) -> str:
        return take_out(text, pivot, [new], rng) if pivot else put_in(text, new, rng)

    made = [changed(text, others[int(rng.integers(len(others)))]) for text in chosen]
    made += [changed(text, keyword) for keyword in keywords for text in chosen]
    return LabelledTexts(made, keyword_table(made, keywords))


def put_in(text: str, keyword: str, rng: np.random.Generator) -> str:
    """The text with one of its words, drawn at random, replaced by the keyword."""
    text = normalize("NFC", text)
    spans = word_spans(text)
    return _replaced(text, spans[int(rng.integers(len(spans)))], keyword) if spans else keyword


def take_out(text: str, keyword: str, others: Sequence[str], rng: np.random.Generator) -> str:
    """The text with every occurrence of the keyword replaced by one of the other words, drawn at random."""
    text = normalize("NFC", text)
    for span in reversed(occurrences(text, keyword)):
        text = _replaced(text, span, others[int(rng.integers(len(others)))])
    return text


def occurrences(text: str, keyword: str) -> list[Span]:
    """Where the keyword stands in a text (in Unicode's composed form), a genitive's s left outside."""
    wanted = list(keyword_words(keyword))
    spans = [_without_genitive(text, span) for span in word_spans(text)]
    forms = [" ".join(words(text[start:end])) for start, end in spans]
    found: list[Span] = []
    for place in range(len(spans) - len(wanted) + 1):
        if forms[place : place + len(wanted)] == wanted and (not found or spans[place][0] >= found[-1][1]):
            found.append((spans[place][0], spans[place + len(wanted) - 1][1]))
    return found


def usual_spelling(texts: Sequence[str], keyword: str) -> str:
    """How texts mostly write the keyword ("Hong Kong"), or as it was given where they have it nowhere."""
    composed = (normalize("NFC", text) for text in texts)
    spellings = Counter(text[start:end] for text in composed for start, end in occurrences(text, keyword))
    return spellings.most_common(1)[0][0] if spellings else keyword


def other_words(texts: Sequence[str], keywords: Sequence[str]) -> list[str]:
    """Every word of the texts that is part of no keyword, in order of the alphabet."""
    part_of_one = {word for keyword in keywords for word in keyword_words(keyword)}
    found = {word for text in texts for word in words(text)}
    return sorted(word for word in found if without_genitive(word) not in part_of_one)


def _without_genitive(text: str, span: Span) -> Span:
    start, end = span
    return start, end - 2 if text[start:end].lower().endswith(("'s", "’s")) else end


def _replaced(text: str, span: Span, new: str) -> str:
    """In capitals where the whole text is, and with a capital where a text begins with one."""
    start, end = span
    if text.isupper():
        new = new.upper()
    elif text[start].isupper() and not words(text[:start]):
        new = new[0].upper() + new[1:]
    return text[:start] + new + text[end:]
