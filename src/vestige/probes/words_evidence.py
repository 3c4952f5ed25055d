"""The evidence of the probe `words`: recall by frequency, words at greatest risk, what helps the attack, examples."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vestige.case.findings import Bar, Chart, Example, State, Token, rank_examples
from vestige.case.scorer import Scorer
from vestige.metrics.intervals import proportion
from vestige.metrics.near_copies import NEAR
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.inversion_choice import Tournament
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, content_words, count_words, words
from vestige.types import Floats

RELIABLE_WORDS = "The words that are recovered most reliably"
"""The title of the chart of single words."""

BANDS = (100, 300, 1000, 3000, 8000)
LENGTHS = (7, 16, 24, 40, 80, 200)
"""The longest texts of each bar, in words; the last bar has longer ones."""

BY_LENGTH = "At what length does it decline?"
SHOWN_WORDS = 12
FEWEST_SIGHTINGS = 5

WordSets = Sequence[frozenset[str]]


def by_frequency(attack: WordSets, prior: WordSets, truth: WordSets, vocabulary: Vocabulary, scorer: Scorer) -> Chart:
    """Recall by how frequent a word is in the adversary's texts; the last bar has words that it does not look for."""
    labels, band_of = divide_by_frequency(vocabulary)
    bars = []
    for band, label in enumerate(labels):
        members = [{word for word in words if band_of.get(word, len(labels) - 1) == band} for words in truth]
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
        "Which words are recovered: frequent or rare?",
        "The share of the words in the target texts that the attack recovers, by how frequent a word is in the "
        "attacker's own texts. The mark on each bar is what guessing recovers; n counts the texts that contain such "
        "words.",
        tuple(bars),
    )


def divide_by_frequency(vocabulary: Vocabulary) -> tuple[list[str], dict[str, int]]:
    """Labels of the bands, from frequent to rare, and the band of each word; the last is for words of none."""
    edges = [edge for edge in BANDS if edge < len(vocabulary)] + [len(vocabulary)]
    band_of = {word: int(np.searchsorted(edges, rank, side="right")) for rank, word in enumerate(vocabulary.words)}
    labels = [f"rank {low + 1:,} to {high:,}" for low, high in pairwise([0, *edges])]
    labels[0] = f"{edges[0]:,} most frequent"
    return [*labels, "not in the attacker's vocabulary"], band_of


def most_readable(attack: WordSets, truth: WordSets, documents: Sequence[str]) -> Chart:
    """The words with the most true and the fewest false claims.

    For each word a document counts once, by its first text that contains it, so that the exact interval of a share
    applies.
    """
    first: dict[tuple[str, str], bool] = {}
    for present, claimed, document in zip(truth, attack, documents, strict=True):
        for word in present:
            first.setdefault((word, document), word in claimed)
    seen = Counter(word for word, _ in first)
    recovered = Counter(word for (word, _), hit in first.items() if hit)
    wrong = Counter(word for present, claimed in zip(truth, attack, strict=True) for word in claimed - present)
    texts = Counter(word for present in truth for word in present)
    eligible = sorted(word for word in recovered if seen[word] >= FEWEST_SIGHTINGS)
    bars = [
        Bar(
            word,
            proportion(
                recovered[word],
                seen[word],
                baseline=wrong[word] / max(len(truth) - texts[word], 1),
                among=len(eligible),
            ),
        )
        for word in eligible
    ]
    bars.sort(key=lambda bar: ((bar.score.baseline or 0) - bar.score.low, bar.label))
    return Chart(
        RELIABLE_WORDS,
        "Of the documents that contain the word, the share in which the attack claims it; the mark is how often it "
        f"claims the word falsely. Words in at least {FEWEST_SIGHTINGS} target documents, the most reliable first; the "
        f"intervals allow for the choice among {len(eligible)} words.",
        tuple(bars[:SHOWN_WORDS]),
    )


def by_attack(tournament: Tournament, seed: int) -> Chart:
    """F1 of each attack that was tried, on held-out documents of the adversary."""
    scorer = Scorer(tournament.documents, seed)
    bars = [
        Bar(name, scorer.score(f1, baseline=float(tournament.prior.mean())))
        for name, f1 in tournament.f1.items()
        if scorer.enough(np.ones(len(f1)))
    ]
    return Chart(
        "Which attack recovers most",
        "Words recovered (F1) by each attack that was tried, on texts of the attacker that the attack was not fitted "
        "on. The scores above are those of the first one: the attacker can choose it without your texts. The mark on "
        "each bar is guessing.",
        tuple(bars),
    )


def by_length(gains: Floats, texts: Sequence[str], scorer: Scorer, measure: str = "words recovered (F1)") -> Chart:
    """Leakage by the number of words of the target text."""
    band_of = np.searchsorted(LENGTHS, [count_words(text) for text in texts])
    bars = []
    for band, label in enumerate(_label_lengths()):
        among = (band_of == band).astype(np.float64)
        if scorer.enough(among):
            bars.append(Bar(label, scorer.gain(gains, weights=among)))
    return Chart(
        BY_LENGTH,
        f"Leakage by the length of the target text: {measure}, minus guessing. Bands with fewer than ten documents are "
        "not shown.",
        tuple(bars),
    )


def _label_lengths() -> list[str]:
    between = [f"{low + 1} to {high} words" for low, high in pairwise(LENGTHS)]
    return [f"up to {LENGTHS[0]} words", *between, f"over {LENGTHS[-1]} words"]


def by_pairs(attack: Mapping[int, WordSets], truth: WordSets, prior: float, scorer: Scorer) -> Chart:
    """F1 by the number of pairs that the adversary holds."""
    bars = [
        Bar(f"{pairs:,} pairs", scorer.score(word_recovery(sets, truth).f1, baseline=prior))
        for pairs, sets in sorted(attack.items())
    ]
    return Chart(
        "Would more text help the attacker?",
        "Words recovered (F1) by the number of (text, vector) pairs that the attack was fitted on. If the bars still "
        "grow, an attacker with more text recovers more. The mark on each bar is guessing.",
        tuple(bars),
    )


def without_near_copies(gains: Floats, copied: npt.NDArray[np.bool_], scorer: Scorer) -> Chart:
    """Leakage with and without the targets of which the adversary holds a near copy."""
    bars = [Bar("all targets", scorer.gain(gains))]
    alone = (~copied).astype(np.float64)
    if scorer.enough(alone):
        bars.append(Bar("targets without a near copy", scorer.gain(gains, weights=alone)))
    return Chart(
        "Is it more than copying?",
        f"Leakage on all targets, and on those of which the attacker has no near copy. {int(copied.sum()):,} of "
        f"{len(copied):,} targets share more than {NEAR:.0%} of their words with a text that the attacker has.",
        tuple(bars),
    )


def examples(texts: Sequence[str], attack: WordSets, f1: Floats, show_text: bool) -> tuple[Example, ...]:
    """Texts at fixed places of the ranking by F1, with the words that were recovered."""
    return tuple(
        mask_text(label, texts[row], attack[row], float(f1[row]), show_text) for label, row in rank_examples(f1)
    )


def mask_text(label: str, text: str, claimed: frozenset[str], score: float, show_text: bool) -> Example:
    """A text with the words that were recovered; all others are masked unless the owner asked to see them."""
    tokens = []
    for word in words(text):
        form = content_form(word)
        state: State = "other" if form is None else "hit" if form in claimed else "missed"
        tokens.append(Token(state, word if show_text else form if state == "hit" else None))
    return Example(label, score, tuple(tokens), len(claimed - content_words(text)))
