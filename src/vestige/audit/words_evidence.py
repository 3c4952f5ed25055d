"""What the probe `words` shows beside its figures: words by frequency, the most readable words, examples."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from vestige.audit.result import Bar, Chart, Example, State, Token
from vestige.metrics.proportion import proportion
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, content_words, words
from vestige.types import Floats, Score

BANDS = (100, 300, 1000, 3000, 8000)
EXAMPLES = {
    "among the most readable 5%": 0.95,
    "more readable than three in four": 0.75,
    "typical": 0.5,
    "less readable than three in four": 0.25,
}
SHOWN_WORDS = 12
FEWEST_SIGHTINGS = 5

WordSets = Sequence[frozenset[str]]


class Scorer(Protocol):
    """Gives a mean its interval."""

    def __call__(self, values: Floats, *, weights: Floats, baseline: float) -> Score:
        """The weighted mean, beside its baseline."""


def by_frequency(attack: WordSets, prior: WordSets, truth: WordSets, vocabulary: Vocabulary, scored: Scorer) -> Chart:
    """Recall by how common a word is in the adversary's own text; the last bar is of words it has never seen."""
    edges = [edge for edge in BANDS if edge < len(vocabulary)] + [len(vocabulary)]
    band_of = {word: int(np.searchsorted(edges, rank, side="right")) for rank, word in enumerate(vocabulary.words)}
    labels = [f"rank {low + 1:,} to {high:,}" for low, high in zip([0, *edges], edges, strict=False)]
    bars = []
    for band, label in enumerate([*labels, "never seen by the stranger"]):
        members = [{word for word in words if band_of.get(word, len(edges)) == band} for words in truth]
        held = np.array([len(words) for words in members], dtype=np.float64)
        if np.count_nonzero(held) < FEWEST_SIGHTINGS:
            continue
        shares = [
            np.array([len(words & claimed) for words, claimed in zip(members, claims, strict=True)])
            / np.maximum(held, 1)
            for claims in (attack, prior)
        ]
        baseline = float((shares[1] * held).sum() / held.sum())
        bars.append(Bar(label, scored(shares[0], weights=held, baseline=baseline)))
    return Chart(
        "Which words are read: frequent or rare?",
        "Share of the words in the target texts that the attack reads, by how frequent a word is in the text the "
        "stranger studied. The mark on each bar is what guessing reads.",
        tuple(bars),
    )


def most_readable(attack: WordSets, truth: WordSets) -> Chart:
    """Words by the lower end of their recall's interval, so that a word seen twice does not lead."""
    seen = Counter(word for words in truth for word in words)
    read = Counter(word for words, claimed in zip(truth, attack, strict=True) for word in words & claimed)
    bars = [Bar(word, proportion(read[word], seen[word])) for word in sorted(read) if seen[word] >= FEWEST_SIGHTINGS]
    bars.sort(key=lambda bar: (-bar.score.low, bar.label))
    return Chart(
        "The words that are read most reliably",
        f"Of the target texts that hold the word, the share in which the attack names it; words in at least "
        f"{FEWEST_SIGHTINGS} target texts.",
        tuple(bars[:SHOWN_WORDS]),
    )


def examples(texts: Sequence[str], attack: WordSets, f1: Floats, show_text: bool) -> tuple[Example, ...]:
    """Texts at fixed places of the ranking by F1, so that nobody picked them."""
    ranking = np.argsort(f1, kind="stable")
    chosen = {label: int(ranking[min(len(f1) - 1, round(share * len(f1)))]) for label, share in EXAMPLES.items()}
    return tuple(_example(label, texts[row], attack[row], float(f1[row]), show_text) for label, row in chosen.items())


def _example(label: str, text: str, claimed: frozenset[str], score: float, show_text: bool) -> Example:
    tokens = []
    for word in words(text):
        form = content_form(word)
        state: State = "other" if form is None else "hit" if form in claimed else "missed"
        tokens.append(Token(state, word if show_text else form if state == "hit" else None))
    return Example(label, score, tuple(tokens), tuple(sorted(claimed - content_words(text))))
