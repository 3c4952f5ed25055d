"""The evidence of the probe `sentences`: scores by queries, similarity of the vectors, whole texts, names, examples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.case.findings import Bar, Chart, Example, Token, rank_examples
from vestige.case.scorer import Scorer
from vestige.metrics.text_recovery import name_recovery, text_recovery
from vestige.text.lcs import longest_common_subsequence
from vestige.text.words import words
from vestige.types import Floats, TextGuesses, Trial

MARKS = (10, 30, 100, 300, 1000, 3000, 10_000)


@dataclass(frozen=True)
class ReconstructedTexts:
    """The texts that the attack wrote, the nearest texts that the adversary holds, and a fixed text.

    At most `queries` texts were queried per target, `words` single words for all targets, and `spent` texts in total.
    `decoded` says whether a trained network wrote texts to start from.
    """

    attack: TextGuesses
    nearest: TextGuesses
    prior: TextGuesses
    queries: int
    words: int
    spent: int
    decoded: bool = False


def by_queries(written: ReconstructedTexts, truth: Sequence[str], scorer: Scorer, prior: float) -> Chart:
    """ROUGE-L of the best text after so many queries."""
    return Chart(
        "What more queries recover",
        "Words reconstructed in the right order (ROUGE-L), by the number of queries per target, not counting single "
        "words. The first bar is the nearest text that the attacker has; the mark on each bar is guessing without the "
        "vectors.",
        _bars(written, scorer, lambda trials: text_recovery([best.text for best in trials], truth).rouge_l, prior),
    )


def how_close(written: ReconstructedTexts, scorer: Scorer) -> Chart:
    """The cosine of the best text's vector with the target after so many queries."""
    return Chart(
        "How close the vectors are",
        "The cosine between the target and the vector of the text written for it; at 1 the encoder does not "
        "distinguish the two texts.",
        _bars(written, scorer, lambda trials: np.array([best.similarity for best in trials]), None),
    )


def what_matters(written: Sequence[str], truth: Sequence[str], scorer: Scorer) -> Chart:
    """The share of texts that come back whole, and of names and numbers."""
    bars = [Bar("whole texts, word for word", scorer.score(text_recovery(written, truth).exact))]
    names = name_recovery(written, truth)
    held = (~np.isnan(names)).astype(np.float64)
    if scorer.enough(held):
        bars.append(Bar("names and numbers", scorer.score(np.nan_to_num(names), weights=held)))
    return Chart(
        "What comes back exactly",
        "The share of the texts that are recovered exactly, except for case; and for texts with names or numbers, the "
        "share of these that the reconstructed text contains. Too few such texts are not shown.",
        tuple(bars),
    )


def _bars(
    written: ReconstructedTexts, scorer: Scorer, values: Callable[[list[Trial]], Floats], baseline: float | None
) -> tuple[Bar, ...]:
    marks = [mark for mark in MARKS if mark < written.queries] + [written.queries]
    best = {"the nearest text, no query": [trail[-1] for trail in written.nearest.trails]}
    for mark in marks:
        best[f"{mark:,} queries per text"] = [find_best(trail, mark) for trail in written.attack.trails]
    return tuple(Bar(label, scorer.score(values(trials), baseline=baseline)) for label, trials in best.items())


def find_best(trail: Sequence[Trial], queries: int) -> Trial:
    """The best trial after so many queries; the first one if even that took more."""
    return next((trial for trial in reversed(trail) if trial.queries <= queries), trail[0])


def examples(truth: Sequence[str], written: Sequence[str], scores: Floats, show_text: bool) -> tuple[Example, ...]:
    """Texts at fixed places of the ranking by ROUGE-L."""
    return tuple(
        _example(label, truth[row], written[row], float(scores[row]), show_text) for label, row in rank_examples(scores)
    )


def _example(label: str, true: str, written: str, score: float, show_text: bool) -> Example:
    """The words of the true text; those written in the same order are hits."""
    present, guessed = words(true), words(written)
    hits = set(longest_common_subsequence(present, guessed))
    tokens = tuple(
        Token("hit" if place in hits else "missed", word if show_text or place in hits else None)
        for place, word in enumerate(present)
    )
    return Example(label, score, tokens, len(guessed) - len(hits), written if show_text else None)
