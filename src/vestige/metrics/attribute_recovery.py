"""Top-1 and top-5 accuracy on the label of a text (Song and Raghunathan 2020, Section 6.3)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import document_mean
from vestige.types import Floats, LabelGuesses, Score

DEPTH = 5


@dataclass(frozen=True, slots=True)
class AttributeRecovery:
    """The share of texts whose label is the likeliest guess, and whose label is among the five likeliest.

    The baseline of each is the best that the same guess, or the same five, for all texts could reach: the most frequent
    labels.
    """

    top1: Score
    top5: Score


def attribute_recovery(
    guesses: LabelGuesses, truth: Sequence[str], documents: Sequence[str], rng: np.random.Generator
) -> AttributeRecovery:
    """Accuracy with intervals over documents; pass threads as `documents` for intervals over threads."""
    hits = label_hits(guesses, truth)
    _check_documents(truth, documents)
    return AttributeRecovery(
        *(
            document_mean(column, documents, rng, baseline=fixed_guess(truth, depth))
            for column, depth in zip(hits.T, (1, DEPTH), strict=True)
        )
    )


def recovery_gain(
    guesses: LabelGuesses,
    others: LabelGuesses,
    truth: Sequence[str],
    documents: Sequence[str],
    rng: np.random.Generator,
) -> AttributeRecovery:
    """The accuracy of `guesses` minus that of `others`, paired text by text."""
    _check_documents(truth, documents)
    gains = label_hits(guesses, truth) - label_hits(others, truth)
    return AttributeRecovery(*(document_mean(column, documents, rng, baseline=0.0, signed=True) for column in gains.T))


def label_hits(guesses: LabelGuesses, truth: Sequence[str]) -> Floats:
    """One row per text: whether the likeliest guess is true, and whether one of the five likeliest is, as 1 or 0.

    A label that the attack has never seen is a miss. Among equally likely labels the order of `guesses.labels` decides.
    """
    table = np.asarray(guesses.probabilities)
    if not len(truth):
        raise InputError("there are no texts to score; expected at least one")
    if table.shape != (len(truth), len(guesses.labels)):
        raise InputError(
            f"the probabilities have shape {table.shape}; expected one row per text and one column per label, "
            f"({len(truth)}, {len(guesses.labels)})"
        )
    column = {label: place for place, label in enumerate(guesses.labels)}
    place = np.array([column.get(label, -1) for label in truth])
    own = table[np.arange(len(truth)), place][:, None]
    before = (table > own) | ((table == own) & (np.arange(table.shape[1]) < place[:, None]))
    rank = np.where(place >= 0, before.sum(axis=1), table.shape[1] + DEPTH)
    return np.column_stack([rank < 1, rank < DEPTH]).astype(np.float64)


def fixed_guess(truth: Sequence[str], depth: int) -> float:
    """The share of texts with one of the `depth` most frequent labels."""
    return sum(count for _, count in Counter(truth).most_common(depth)) / len(truth)


def _check_documents(truth: Sequence[str], documents: Sequence[str]) -> None:
    if len(documents) != len(truth):
        raise InputError(f"{len(truth)} true labels but {len(documents)} documents; expected one per text")
