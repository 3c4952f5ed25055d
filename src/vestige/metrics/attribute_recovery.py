"""How often the label of a text is guessed: top-1 and top-5 accuracy (Song and Raghunathan 2020, Section 6.3)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.metrics.bootstrap import document_mean
from vestige.types import Floats, LabelGuesses, Score

DEPTH = 5


@dataclass(frozen=True, slots=True)
class AttributeRecovery:
    """The share of texts whose label is the likeliest guess, and whose label is among the five likeliest.

    The baseline of each is the most that one guess, or five, for all texts could have: those most frequent in truth.
    """

    top1: Score
    top5: Score


def attribute_recovery(
    guesses: LabelGuesses, truth: Sequence[str], documents: Sequence[str], rng: np.random.Generator
) -> AttributeRecovery:
    """With intervals over documents, or over threads where these are given for documents."""
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
    """By how much the accuracy of `guesses` is above that of `others`, text by text."""
    _check_documents(truth, documents)
    gains = label_hits(guesses, truth) - label_hits(others, truth)
    return AttributeRecovery(*(document_mean(column, documents, rng, baseline=0.0, signed=True) for column in gains.T))


def label_hits(guesses: LabelGuesses, truth: Sequence[str]) -> Floats:
    """A row a text: 1 where the likeliest guess is the truth, else 0; and the same for the five likeliest.

    A label that the attack has never seen is merely missed. Of labels as likely as each other the one named first goes
    first.
    """
    table = np.asarray(guesses.probabilities)
    if not len(truth):
        raise InputError("there are no texts to score; expected at least one")
    if table.shape != (len(truth), len(guesses.labels)):
        raise InputError(
            f"the probabilities have shape {table.shape}; expected a row a text and a column a label, "
            f"({len(truth)}, {len(guesses.labels)})"
        )
    column = {label: place for place, label in enumerate(guesses.labels)}
    place = np.array([column.get(label, -1) for label in truth])
    own = table[np.arange(len(truth)), place][:, None]
    before = (table > own) | ((table == own) & (np.arange(table.shape[1]) < place[:, None]))
    rank = np.where(place >= 0, before.sum(axis=1), table.shape[1] + DEPTH)
    return np.column_stack([rank < 1, rank < DEPTH]).astype(np.float64)


def fixed_guess(truth: Sequence[str], depth: int) -> float:
    """The share of texts that the `depth` most frequent labels have together."""
    return sum(count for _, count in Counter(truth).most_common(depth)) / len(truth)


def _check_documents(truth: Sequence[str], documents: Sequence[str]) -> None:
    if len(documents) != len(truth):
        raise InputError(f"{len(truth)} true labels but {len(documents)} documents; expected one a text")
