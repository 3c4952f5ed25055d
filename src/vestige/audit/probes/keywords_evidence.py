"""What the probe `keywords` shows beside its figures: each keyword, and what the keywords of a text tell together."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.audit.probes.ranked import ranked_examples
from vestige.audit.result import Bar, Chart, Example, State, Token
from vestige.metrics.accuracy import PRIOR, KeywordAccuracy
from vestige.text.keywords import keyword_table, keyword_words, without_genitive
from vestige.text.words import words
from vestige.types import Flags, Floats, KeywordGuesses


def by_keyword(accuracy: KeywordAccuracy, left_out: int) -> Chart:
    """Accuracy keyword by keyword, the one that is told best first."""
    bars = [Bar(keyword, score) for keyword, score in accuracy.by_keyword.items()]
    bars.sort(key=lambda bar: (-bar.score.value, bar.label))
    apart = (
        f" {left_out} more could not be scored: too few target documents hold them, or lack them." if left_out else ""
    )
    return Chart(
        "Which keywords are told",
        "How often the stranger says rightly whether the keyword is in a text, on a set of which one half holds it; "
        f"the mark is a coin. The word at greatest risk first.{apart}",
        tuple(bars),
    )


def likeliest(guesses: KeywordGuesses, held: Flags) -> Floats:
    """1 where the likeliest keyword of a text is in it (P9)."""
    first = guesses.probabilities.argmax(axis=1)
    return np.asarray(held[np.arange(len(held)), first], np.float64)


def likeliest_unseen(texts: Sequence[str], keywords: Sequence[str]) -> int:
    """The keyword to name for every text without looking at a vector: the commonest in the stranger's own texts."""
    return int(keyword_table(texts, keywords).sum(axis=0).argmax())


def examples(texts: Sequence[str], held: Flags, guesses: KeywordGuesses, show_text: bool) -> tuple[Example, ...]:
    """Texts that hold keywords, at fixed places of the ranking by how rightly their keywords are told."""
    rows = np.flatnonzero(held.any(axis=1) & ~held.all(axis=1))
    there, claimed = held[rows], guesses.probabilities[rows] > PRIOR
    told = _share(claimed, there) / 2 + _share(~claimed, ~there) / 2
    return tuple(
        Example(
            label,
            float(told[place]),
            tuple(_tokens(texts[rows[place]], guesses.keywords, there[place], claimed[place], show_text)),
            int((claimed[place] & ~there[place]).sum()),
        )
        for label, place in ranked_examples(told)
    )


def _share(flags: Flags, among: Flags) -> Floats:
    """Row by row, the share of those that count in which the flag is set."""
    return np.asarray((flags & among).sum(axis=1) / np.maximum(among.sum(axis=1), 1), np.float64)


def _tokens(text: str, keywords: Sequence[str], held: Flags, claimed: Flags, show_text: bool) -> Iterator[Token]:
    """The keywords of the text, those that are told marked; every other word is of no account."""
    there = (place for place, holds in enumerate(held) if holds)
    told = {word: bool(claimed[place]) for place in there for word in keyword_words(keywords[place])}
    for word in words(text):
        form = without_genitive(word)
        state: State = "other" if form not in told else "hit" if told[form] else "missed"
        yield Token(state, word if show_text or state == "hit" else None)
