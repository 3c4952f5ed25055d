"""Word substitution (Pan et al. 2020, Section VI-B): insert a keyword into a text, or replace it by other words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.text.keywords import Span, keyword_table, locate_words, split_keyword, strip_genitive
from vestige.text.words import word_spans, words
from vestige.types import Flags, Integers

FEWEST_LACKING = 20
"""A keyword needs at least this many unrelated texts that lack it."""


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Texts to learn keywords from: `labels` has one row per text and one column per keyword.

    The texts are in blocks, whose sizes `blocks` holds: those with none of the keywords put in, then those with each.
    """

    texts: list[str]
    labels: Flags
    blocks: tuple[int, ...]

    @property
    def counted(self) -> Flags:
        """For which keyword each text is an example in the paper: its first block for all, the others for their own."""
        first, *others = self.blocks
        own = np.repeat(np.eye(len(others), dtype=np.bool_), others, axis=0)
        return np.concatenate([np.ones((first, len(others)), dtype=np.bool_), own])


def build_external_examples(
    texts: Sequence[str],
    keywords: Sequence[str],
    *,
    size: int = 2000,
    rng: np.random.Generator,
    pivot: str | None = None,
) -> LabelledTexts:
    """Make labelled examples from unrelated texts: `size` with another of their words, and `size` with each keyword.

    The inserted word replaces a random one. With a `pivot` it replaces that word, and only texts that contain the pivot
    are used (Pan et al.: 2000 sentences with "salad"). A keyword goes into texts that lack it, as far as possible the
    same for all keywords; they may contain another keyword, and their labels say so. There are fewer than `size`
    examples if there are not enough texts.
    """
    held = keyword_table(texts, keywords)
    usable = keyword_table(texts, [pivot])[:, 0] if pivot else np.array([bool(words(text)) for text in texts], np.bool_)
    _check_texts_without(held[usable], keywords, pivot)
    order = rng.permutation(np.flatnonzero(usable & ~held.all(axis=1)))

    def select(rows: Integers) -> list[str]:
        return [texts[row] for row in np.sort(rows[:size])]

    def substitute(text: str, new: str) -> str:
        return replace_keyword(text, pivot, [new], rng) if pivot else insert_keyword(text, new, rng)

    plain = select(order)
    others = list_other_words(plain, [*keywords, pivot] if pivot else keywords)
    blocks = [[substitute(text, others[int(rng.integers(len(others)))]) for text in plain]]
    for keyword, column in zip(keywords, held.T, strict=True):
        blocks.append([substitute(text, keyword) for text in select(order[~column[order]])])
    made = [text for block in blocks for text in block]
    return LabelledTexts(made, keyword_table(made, keywords), tuple(map(len, blocks)))


def insert_keyword(text: str, keyword: str, rng: np.random.Generator) -> str:
    """Replace a random word of the text by the keyword."""
    text = normalize("NFC", text)
    spans = word_spans(text)
    return _replace(text, spans[int(rng.integers(len(spans)))], keyword) if spans else keyword


def replace_keyword(text: str, keyword: str, others: Sequence[str], rng: np.random.Generator) -> str:
    """Replace every occurrence of the keyword by a random one of the other words."""
    text = normalize("NFC", text)
    for span in reversed(find_occurrences(text, keyword)):
        text = _replace(text, span, others[int(rng.integers(len(others)))])
    return text


def find_occurrences(text: str, keyword: str) -> list[Span]:
    """The spans of the keyword in a text (in composed form, NFC), without a genitive 's."""
    wanted, placed = split_keyword(keyword), locate_words(text)
    found: list[Span] = []
    for place in range(len(placed) - len(wanted) + 1):
        run = placed[place : place + len(wanted)]
        start, end = run[0][1][0], run[-1][1][1]
        if tuple(form for form, _ in run) == wanted and (not found or start >= found[-1][1]):
            found.append((start, end))
    return found


def find_usual_spelling(texts: Sequence[str], keyword: str) -> str:
    """The most frequent spelling of the keyword in the texts ("Hong Kong"); unchanged if no text contains it."""
    composed = (normalize("NFC", text) for text in texts)
    spellings = Counter(text[start:end] for text in composed for start, end in find_occurrences(text, keyword))
    return spellings.most_common(1)[0][0] if spellings else keyword


def list_other_words(texts: Sequence[str], keywords: Sequence[str]) -> list[str]:
    """The words of the texts that are not part of a keyword, in alphabetical order."""
    keyword_words = {word for keyword in keywords for word in split_keyword(keyword)}
    present = {word for text in texts for word in words(text)}
    return sorted(word for word in present if strip_genitive(word) not in keyword_words)


def _check_texts_without(held: Flags, keywords: Sequence[str], pivot: str | None) -> None:
    """Raise if too few texts lack one of the keywords."""
    with_pivot = f" with {pivot!r}" if pivot else ""
    for keyword, lacking in zip(keywords, (~held).sum(axis=0).tolist(), strict=True):
        if lacking < FEWEST_LACKING:
            raise InputError(
                f"{lacking} of {len(held)} texts{with_pivot} lack the keyword {keyword!r}; expected at least "
                f"{FEWEST_LACKING} to insert it into; provide more texts, or drop the keyword"
            )


def _replace(text: str, span: Span, new: str) -> str:
    """Replace a span, in capitals if the whole text is, and with a capital at the beginning of a text that has one."""
    start, end = span
    if text.isupper():
        new = new.upper()
    elif text[start].isupper() and not words(text[:start]):
        new = new[0].upper() + new[1:]
    return text[:start] + new + text[end:]
