"""What the probe `words` shows beside its figures: words by frequency, the most readable words, examples."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vestige.case.findings import Bar, Chart, Example, State, Token
from vestige.case.scorer import Scorer
from vestige.metrics.proportion import proportion
from vestige.metrics.similarity import NEAR
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.inversions import Tournament
from vestige.probes.ranked import ranked_examples
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, content_words, words
from vestige.types import Floats

BANDS = (100, 300, 1000, 3000, 8000)
SHOWN_WORDS = 12
FEWEST_SIGHTINGS = 5

WordSets = Sequence[frozenset[str]]


def by_frequency(attack: WordSets, prior: WordSets, truth: WordSets, vocabulary: Vocabulary, scorer: Scorer) -> Chart:
    """Recall by how common a word is in the adversary's own text; the last bar is of words it does not look for."""
    edges = [edge for edge in BANDS if edge < len(vocabulary)] + [len(vocabulary)]
    band_of = {word: int(np.searchsorted(edges, rank, side="right")) for rank, word in enumerate(vocabulary.words)}
    labels = [f"rank {low + 1:,} to {high:,}" for low, high in pairwise([0, *edges])]
    labels[0] = f"{edges[0]:,} most frequent"
    bars = []
    for band, label in enumerate([*labels, "not in the stranger's vocabulary"]):
        members = [{word for word in words if band_of.get(word, len(edges)) == band} for words in truth]
        held = np.array([len(words) for words in members], dtype=np.float64)
        if not scorer.enough(held):
            continue
        shares = [
            np.array([len(words & claimed) for words, claimed in zip(members, claims, strict=True)])
            / np.maximum(held, 1)
            for claims in (attack, prior)
        ]
        baseline = float((shares[1] * held).sum() / held.sum())
        bars.append(Bar(label, scorer.score(shares[0], weights=held, baseline=baseline)))
    return Chart(
        "Which words are read: frequent or rare?",
        "Share of the words in the target texts that the attack reads, by how frequent a word is in the text the "
        "stranger studied. The mark on each bar is what guessing reads; n counts the texts that hold such words.",
        tuple(bars),
    )


def most_readable(attack: WordSets, truth: WordSets, documents: Sequence[str]) -> Chart:
    """Words that are claimed where they are, and seldom where they are not.

    A document counts once a word, by its first text that holds it, so that the exact interval of a share applies.
    """
    first: dict[tuple[str, str], bool] = {}
    for words_there, claimed, document in zip(truth, attack, documents, strict=True):
        for word in words_there:
            first.setdefault((word, document), word in claimed)
    seen = Counter(word for word, _ in first)
    read = Counter(word for (word, _), was_read in first.items() if was_read)
    wrong = Counter(word for words_there, claimed in zip(truth, attack, strict=True) for word in claimed - words_there)
    there = Counter(word for words_there in truth for word in words_there)
    eligible = sorted(word for word in read if seen[word] >= FEWEST_SIGHTINGS)
    bars = [
        Bar(
            word,
            proportion(
                read[word],
                seen[word],
                baseline=wrong[word] / max(len(truth) - there[word], 1),
                among=len(eligible),
            ),
        )
        for word in eligible
    ]
    bars.sort(key=lambda bar: ((bar.score.baseline or 0) - bar.score.low, bar.label))
    return Chart(
        "The words that are read most reliably",
        f"Of the documents that hold the word, the share in which the attack names it; the mark is how often it names "
        f"the word where it is not. Words of at least {FEWEST_SIGHTINGS} target documents; the intervals allow for the "
        f"choice among {len(eligible)} words. Surest first.",
        tuple(bars[:SHOWN_WORDS]),
    )


def by_attack(tournament: Tournament, seed: int) -> Chart:
    """F1 of each inversion that was tried, on the stranger's own held-out documents."""
    scorer = Scorer(tournament.documents, seed)
    bars = [
        Bar(name, scorer.score(f1, baseline=float(tournament.prior.mean())))
        for name, f1 in tournament.f1.items()
        if scorer.enough(np.ones(len(f1)))
    ]
    return Chart(
        "Which attack reads most",
        "Words recovered (F1) by each inversion that was tried, on texts of the stranger's own that it did not learn "
        "from. The first is the one whose figures stand above: the stranger can choose so without your texts. The mark "
        "on each bar is guessing.",
        tuple(bars),
    )


def by_pairs(attack: Mapping[int, WordSets], truth: WordSets, prior: float, scorer: Scorer) -> Chart:
    """F1 by how many pairs the stranger had."""
    bars = [
        Bar(f"{pairs:,} pairs", scorer.score(word_recovery(sets, truth).f1, baseline=prior))
        for pairs, sets in sorted(attack.items())
    ]
    return Chart(
        "Would more text help the stranger?",
        "Words recovered (F1) by how many pairs of text and vector the stranger had to learn from. Where the bars "
        "still grow, a stranger with more text reads more. The mark on each bar is guessing.",
        tuple(bars),
    )


def without_near_copies(gains: Floats, copied: npt.NDArray[np.bool_], scorer: Scorer) -> Chart:
    """Leakage with and without the targets that the stranger nearly has already."""
    bars = [Bar("all targets", scorer.gain(gains))]
    alone = (~copied).astype(np.float64)
    if scorer.enough(alone):
        bars.append(Bar("targets without a near copy", scorer.gain(gains, weights=alone)))
    return Chart(
        "Is it more than copying?",
        f"Leakage on all targets, and on those of which the stranger has no near copy. {int(copied.sum()):,} of "
        f"{len(copied):,} targets share more than {NEAR:.0%} of their words with a text the stranger has.",
        tuple(bars),
    )


def examples(texts: Sequence[str], attack: WordSets, f1: Floats, show_text: bool) -> tuple[Example, ...]:
    """Texts at fixed places of the ranking by F1."""
    return tuple(
        _example(label, texts[row], attack[row], float(f1[row]), show_text) for label, row in ranked_examples(f1)
    )


def _example(label: str, text: str, claimed: frozenset[str], score: float, show_text: bool) -> Example:
    tokens = []
    for word in words(text):
        form = content_form(word)
        state: State = "other" if form is None else "hit" if form in claimed else "missed"
        tokens.append(Token(state, word if show_text else form if state == "hit" else None))
    return Example(label, score, tuple(tokens), len(claimed - content_words(text)))
