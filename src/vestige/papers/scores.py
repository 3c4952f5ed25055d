"""Precision, recall and F1 as each paper averages them, with intervals over documents."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean, document_share
from vestige.metrics.word_recovery import rarity, word_recovery
from vestige.types import Floats, Score

Words = frozenset[str]


@dataclass(frozen=True)
class TargetWords:
    """The words of each target text and the document it belongs to; texts without words are not scored."""

    words: list[Words]
    documents: list[str]
    seed: int

    def select_scored(self, guessed: Sequence[Set[str]]) -> tuple[list[Set[str]], list[Words], list[str]]:
        """Guesses, words and documents of the texts that have words."""
        rows = [row for row, words in enumerate(self.words) if words]
        return [guessed[row] for row in rows], [self.words[row] for row in rows], [self.documents[row] for row in rows]

    def among(self, known: Set[str]) -> "TargetWords":
        """The same, counting only the words of a vocabulary."""
        return TargetWords([words & known for words in self.words], self.documents, self.seed)


def score_averages(guessed: Sequence[Set[str]], truth: TargetWords) -> tuple[Score, ...]:
    """Mean precision, mean recall, and the harmonic mean of the two: the F1 of Song and Raghunathan."""
    guesses, words, documents = truth.select_scored(guessed)
    found = word_recovery(guesses, words)
    parts = np.column_stack([found.precision, found.recall, np.ones(len(words))])
    return (
        document_mean(found.precision, documents, stream(truth.seed, "bootstrap")),
        document_mean(found.recall, documents, stream(truth.seed, "bootstrap")),
        document_share(parts, documents, stream(truth.seed, "bootstrap"), _harmonic),
    )


def score_by_text(guessed: Sequence[Set[str]], truth: TargetWords) -> tuple[Score, ...]:
    """Precision, recall and F1 of each text, averaged, as in Corò 2022."""
    return _averaged(*truth.select_scored(guessed), truth.seed, weighted=False)


def score_by_text_and_rarity(guessed: Sequence[Set[str]], truth: TargetWords) -> tuple[Score, ...]:
    """The same three, then again with more weight on rare words (Corò 2022, Equations 4.7 and 4.8)."""
    guesses, words, documents = truth.select_scored(guessed)
    plain = _averaged(guesses, words, documents, truth.seed, weighted=False)
    return plain + _averaged(guesses, words, documents, truth.seed, weighted=True)


def _averaged(
    guessed: list[Set[str]], words: list[Words], documents: list[str], seed: int, *, weighted: bool
) -> tuple[Score, ...]:
    found = word_recovery(guessed, words, rarity(words)) if weighted else word_recovery(guessed, words)
    return tuple(
        document_mean(values, documents, stream(seed, "bootstrap"), weights=found.counted)
        for values in (found.precision, found.recall, found.f1)
    )


def _harmonic(sums: Floats) -> Floats:
    precision, recall, texts = sums.T
    both = (precision + recall) * texts
    values: Floats = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    return values
