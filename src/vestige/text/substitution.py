"""Word substitution (Pan et al. 2020, Section VI-B): a keyword put into a text, or taken out of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.text.keywords import Span, keyword_table, keyword_words, placed_words, without_genitive
from vestige.text.words import word_spans, words
from vestige.types import Flags, Integers

FEWEST_LACKING = 20
"""Unrelated texts without a keyword, below which it is not learned."""


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
    """From unrelated texts, `size` with another word of theirs put in, and for each keyword `size` with that put in.

    A word drawn at random gives way. With a `pivot` it is that word, and only texts that hold it are used (Pan et al.:
    2000 sentences with "salad"). A keyword goes into texts that lack it, the same ones for all keywords as far as may
    be; they may hold another, which their label says. Fewer than `size` where there are no more.
    """
    held = keyword_table(texts, keywords)
    usable = keyword_table(texts, [pivot])[:, 0] if pivot else np.array([bool(words(text)) for text in texts], np.bool_)
    _check_lacking(held[usable], keywords, pivot)
    order = rng.permutation(np.flatnonzero(usable & ~held.all(axis=1)))

    def chosen(rows: Integers) -> list[str]:
        return [texts[row] for row in np.sort(rows[:size])]

    def changed(text: str, new: str) -> str:
        return take_out(text, pivot, [new], rng) if pivot else put_in(text, new, rng)

    plain = chosen(order)
    others = other_words(plain, [*keywords, pivot] if pivot else keywords)
    made = [changed(text, others[int(rng.integers(len(others)))]) for text in plain]
    for keyword, column in zip(keywords, held.T, strict=True):
        made += [changed(text, keyword) for text in chosen(order[~column[order]])]
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
    wanted, placed = keyword_words(keyword), placed_words(text)
    found: list[Span] = []
    for place in range(len(placed) - len(wanted) + 1):
        run = placed[place : place + len(wanted)]
        start, end = run[0][1][0], run[-1][1][1]
        if tuple(form for form, _ in run) == wanted and (not found or start >= found[-1][1]):
            found.append((start, end))
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


def _check_lacking(held: Flags, keywords: Sequence[str], pivot: str | None) -> None:
    """Each keyword needs some texts that it can be put into."""
    with_pivot = f" with {pivot!r}" if pivot else ""
    for keyword, lacking in zip(keywords, (~held).sum(axis=0).tolist(), strict=True):
        if lacking < FEWEST_LACKING:
            raise InputError(
                f"{lacking} of {len(held)} texts{with_pivot} lack the keyword {keyword!r}; expected at least "
                f"{FEWEST_LACKING} to put it into; give more texts, or leave the keyword out"
            )


def _replaced(text: str, span: Span, new: str) -> str:
    """In capitals where the whole text is, and with a capital where a text begins with one."""
    start, end = span
    if text.isupper():
        new = new.upper()
    elif text[start].isupper() and not words(text[:start]):
        new = new[0].upper() + new[1:]
    return text[:start] + new + text[end:]
