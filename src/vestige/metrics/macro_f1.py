"""Macro-F1 of guessed classes: the F1 of each class, then the mean over classes (Corò 2022, Eq. 4.2)."""

from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import document_share
from vestige.types import Floats, Score


def macro_f1(guessed: Sequence[str], truth: Sequence[str], documents: Sequence[str], rng: np.random.Generator) -> Score:
    """The score with its interval over documents; the baseline is the best that one class for every text could reach.

    The classes are those of the truth; a guess of any other class is wrong.
    """
    if not len(guessed) == len(truth) == len(documents):
        raise InputError(
            f"{len(guessed)} guesses, {len(truth)} true classes and {len(documents)} documents; expected one per text"
        )
    if not truth:
        raise InputError("there are no texts to score; expected at least one class and its guess")
    classes = np.unique(np.asarray(truth))
    claimed = np.asarray(guessed)[:, None] == classes
    true = np.asarray(truth)[:, None] == classes
    parts = np.concatenate([claimed & true, claimed.astype(np.int64) + true], axis=1)
    return document_share(parts, documents, rng, _mean_f1, baseline=_one_class(true))


def _mean_f1(sums: Floats) -> Floats:
    """The mean of 2 · hits / (guesses + truths) over classes; a class that was not drawn is skipped."""
    hits, claims = np.split(sums, 2, axis=1)
    values = np.divide(2 * hits, claims, out=np.zeros_like(hits), where=claims > 0)
    drawn = np.maximum((claims > 0).sum(axis=1), 1)
    means: Floats = values.sum(axis=1) / drawn
    return means


def _one_class(true: Floats) -> float:
    shares = true.mean(axis=0)
    return float((2 * shares / (1 + shares)).max() / len(shares))
