"""The evidence of the probe `keywords`: keyword by keyword, the likeliest keyword of a text, and examples."""

from collections.abc import Iterator, Sequence
from unicodedata import normalize

import numpy as np
from scipy.special import logit

from vestige.case.findings import Bar, Chart, Example, State, Token, rank_examples
from vestige.metrics.keyword_accuracy import PRIOR, KeywordAccuracy
from vestige.probes.keywords_choice import KeywordChoice
from vestige.text.keywords import keyword_table
from vestige.text.substitution import find_occurrences
from vestige.text.words import word_spans
from vestige.types import Flags, Floats, KeywordGuesses

INFERRED_KEYWORDS = "Which keywords are inferred"
"""The title of the chart of single keywords."""

_SURE = 1e-12


def by_keyword(accuracy: KeywordAccuracy, choice: KeywordChoice) -> Chart:
    """Accuracy keyword by keyword, the highest first."""
    labels = dict(zip(choice.keywords, choice.labels, strict=True))
    bars = [Bar(labels[keyword], score) for keyword, score in accuracy.by_keyword.items()]
    bars.sort(key=lambda bar: (-bar.score.value, bar.label))
    skipped = f" Not scored: {choice.describe_skipped()}." if choice.describe_skipped() else ""
    masked = " Words found in your texts are masked; --show-text shows them." if any(choice.masked) else ""
    return Chart(
        INFERRED_KEYWORDS,
        "How often the attacker is right about whether the keyword is in a text, where half of the texts contain it; "
        f"the mark is a coin. The keyword at greatest risk comes first.{skipped}{masked}",
        tuple(bars),
    )


def base_log_odds(texts: Sequence[str], keywords: Sequence[str]) -> Floats:
    """The log odds of each keyword in the adversary's own texts, with half a text added on either side."""
    holding = keyword_table(texts, keywords).sum(axis=0)
    return np.asarray(np.log((holding + 0.5) / (len(texts) - holding + 0.5)), np.float64)


def likeliest(guesses: KeywordGuesses, base: Floats, held: Flags) -> Floats:
    """1 where the likeliest keyword of a text is in it.

    A guess is a probability in a set of which half contains the keyword; `base` converts it to the frequencies of the
    adversary's texts.
    """
    first = (logit(guesses.probabilities.clip(_SURE, 1 - _SURE)) + base).argmax(axis=1)
    return np.asarray(held[np.arange(len(held)), first], np.float64)


def examples(
    texts: Sequence[str], choice: KeywordChoice, guesses: KeywordGuesses, show_text: bool
) -> tuple[Example, ...]:
    """Texts that contain keywords, at fixed places of the ranking by balanced accuracy."""
    rows = np.flatnonzero(choice.held.any(axis=1))
    present, claimed = choice.held[rows], guesses.probabilities[rows] > PRIOR
    recall, specificity = _share(claimed, present), _share(~claimed, ~present)
    accuracy = np.where(present.all(axis=1), recall, (recall + specificity) / 2)
    return tuple(
        Example(
            label,
            float(accuracy[place]),
            tuple(_tokens(texts[rows[place]], choice, present[place], claimed[place], show_text)),
            int((claimed[place] & ~present[place]).sum()),
        )
        for label, place in rank_examples(accuracy)
    )


def _share(flags: Flags, among: Flags) -> Floats:
    """Row by row, the share of the entries in `among` whose flag is set."""
    return np.asarray((flags & among).sum(axis=1) / np.maximum(among.sum(axis=1), 1), np.float64)


def _tokens(text: str, choice: KeywordChoice, held: Flags, claimed: Flags, show_text: bool) -> Iterator[Token]:
    """The words of a text. Where keywords overlap, a word is a hit if one of them was claimed."""
    text = normalize("NFC", text)
    marks = [
        (span, bool(claimed[place]), choice.masked[place])
        for place in np.flatnonzero(held)
        for span in find_occurrences(text, choice.keywords[place])
    ]
    for start, end in word_spans(text):
        over = [(hit, masked) for (first, last), hit, masked in marks if first < end and start < last]
        state: State = "hit" if any(hit for hit, _ in over) else "missed" if over else "other"
        shown = show_text or any(hit and not masked for hit, masked in over)
        yield Token(state, text[start:end].lower() if shown else None)
