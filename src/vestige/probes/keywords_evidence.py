"""What the probe `keywords` shows beside its figures: each keyword, and what the keywords of a text tell together."""

from collections.abc import Iterator, Sequence
from unicodedata import normalize

import numpy as np
from scipy.special import logit

from vestige.case.findings import Bar, Chart, Example, State, Token
from vestige.metrics.accuracy import PRIOR, KeywordAccuracy
from vestige.probes.keywords_asked import Asked
from vestige.probes.ranked import ranked_examples
from vestige.text.keywords import keyword_table
from vestige.text.substitution import occurrences
from vestige.text.words import word_spans
from vestige.types import Flags, Floats, KeywordGuesses

_SURE = 1e-12


def by_keyword(accuracy: KeywordAccuracy, asked: Asked) -> Chart:
    """Accuracy keyword by keyword, the one that is told best first."""
    labels = dict(zip(asked.keywords, asked.labels, strict=True))
    bars = [Bar(labels[keyword], score) for keyword, score in accuracy.by_keyword.items()]
    bars.sort(key=lambda bar: (-bar.score.value, bar.label))
    apart = f" Not scored: {asked.left_out}." if asked.left_out else ""
    masked = " What was found in your texts is masked; --show-text shows it." if any(asked.masked) else ""
    return Chart(
        "Which keywords are told",
        "How often the stranger says rightly whether the keyword is in a text, on a set of which one half holds it; "
        f"the mark is a coin. The word at greatest risk first.{apart}{masked}",
        tuple(bars),
    )


def base_log_odds(texts: Sequence[str], keywords: Sequence[str]) -> Floats:
    """How frequent each keyword is in the stranger's own texts, half a text added on either side."""
    holding = keyword_table(texts, keywords).sum(axis=0)
    return np.asarray(np.log((holding + 0.5) / (len(texts) - holding + 0.5)), np.float64)


def likeliest(guesses: KeywordGuesses, base: Floats, held: Flags) -> Floats:
    """1 where the likeliest keyword of a text is in it (P9).

    A guess is the chance in a set of which one half holds the keyword; `base` makes it that among the stranger's texts.
    """
    first = (logit(guesses.probabilities.clip(_SURE, 1 - _SURE)) + base).argmax(axis=1)
    return np.asarray(held[np.arange(len(held)), first], np.float64)


def examples(texts: Sequence[str], asked: Asked, guesses: KeywordGuesses, show_text: bool) -> tuple[Example, ...]:
    """Texts that hold keywords, at fixed places of the ranking by how rightly their keywords are told."""
    rows = np.flatnonzero(asked.held.any(axis=1))
    there, claimed = asked.held[rows], guesses.probabilities[rows] > PRIOR
    found, refused = _share(claimed, there), _share(~claimed, ~there)
    told = np.where(there.all(axis=1), found, (found + refused) / 2)
    return tuple(
        Example(
            label,
            float(told[place]),
            tuple(_tokens(texts[rows[place]], asked, there[place], claimed[place], show_text)),
            int((claimed[place] & ~there[place]).sum()),
        )
        for label, place in ranked_examples(told)
    )


def _share(flags: Flags, among: Flags) -> Floats:
    """Row by row, the share of those that count in which the flag is set."""
    return np.asarray((flags & among).sum(axis=1) / np.maximum(among.sum(axis=1), 1), np.float64)


def _tokens(text: str, asked: Asked, held: Flags, claimed: Flags, show_text: bool) -> Iterator[Token]:
    """Where keywords stand, those that are told marked, also where one that is not told overlaps."""
    text = normalize("NFC", text)
    marks = [
        (span, bool(claimed[place]), asked.masked[place])
        for place in np.flatnonzero(held)
        for span in occurrences(text, asked.keywords[place])
    ]
    for start, end in word_spans(text):
        over = [(hit, masked) for (first, last), hit, masked in marks if first < end and start < last]
        state: State = "hit" if any(hit for hit, _ in over) else "missed" if over else "other"
        shown = show_text or any(hit and not masked for hit, masked in over)
        yield Token(state, text[start:end].lower() if shown else None)
