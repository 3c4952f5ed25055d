"""What sentence vectors are good for: four sets on which encoders of sentences have long been compared.

MPQA (which way an opinion goes), TREC (what a question asks for), SUBJ (opinion or fact) and MSRP (do two sentences say
the same?), by logistic regression, as Song and Raghunathan measure what a defense costs (CCS 2020, Section 7).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.metrics.bootstrap import document_mean
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.types import Integers, Score, Vectors

TASKS = ("mpqa", "trec", "subj", "msrp")
FOLDS = 5
PENALTIES = (0.01, 0.1, 1.0)
HELD = 0.2

Fold = tuple[list[int], list[int]]
"""Rows to learn from, and rows that are asked."""

Rows = list[int] | Integers


@dataclass(frozen=True)
class SentenceTask:
    """Sentences, or pairs of them where there are `seconds`, with their classes, and who learns from what."""

    name: str
    sentences: list[str]
    seconds: list[str]
    labels: list[str]
    folds: list[Fold]

    def features(self, encode: Callable[[Sequence[str]], Vectors]) -> Vectors:
        """The vectors; of pairs |u - v| beside u · v, column by column (Kiros et al. 2015)."""
        first = encode(self.sentences)
        if not self.seconds:
            return first
        second = encode(self.seconds)
        return np.hstack([np.abs(first - second), first * second])


def read_task(name: str, *, rng: np.random.Generator, most: int | None = None) -> SentenceTask:
    """A set from the folder that VESTIGE_DATA names; with `most`, so many of its rows at most, at random.

    TREC and MSRP come parted into training and test; of the others every fifth is asked of what the rest teaches.
    """
    if name not in TASKS:
        raise InputError(f"'{name}' is no set of sentences with classes; expected one of {', '.join(TASKS)}")
    whole = load_corpus(name)
    corpus = whole.take(np.sort(rng.permutation(len(whole))[:most]).tolist())
    columns = corpus.attributes
    return SentenceTask(
        name, corpus.texts, columns.get("second", []), list(map(str, columns["label"])), _folds(corpus, rng)
    )


def task_accuracy(task: SentenceTask, encode: Callable[[Sequence[str]], Vectors], *, rng: np.random.Generator) -> Score:
    """Accuracy on rows not learned from, with an interval; the baseline is what the most frequent class would have.

    Columns are made to have variance 1. The penalty is the best of three on a fifth of the first fold's lessons.
    """
    features, truth = task.features(encode), np.asarray(task.labels)
    penalty = _chosen(features, truth, task.folds[0][0], rng)
    hits, asked = [], []
    for known, unknown in task.folds:
        hits.append(_told(features, truth, known, unknown, penalty) == truth[unknown])
        asked.append(unknown)
    rows = np.concatenate(asked)
    names, counts = np.unique(truth, return_counts=True)
    majority = float((truth[rows] == names[counts.argmax()]).mean())
    return document_mean(np.concatenate(hits), [str(row) for row in rows], rng, baseline=majority)


def _folds(corpus: Corpus, rng: np.random.Generator) -> list[Fold]:
    if "split" in corpus.attributes:
        asked = np.array([part == "test" for part in corpus.attributes["split"]])
        return [(np.flatnonzero(~asked).tolist(), np.flatnonzero(asked).tolist())]
    parts = [part.tolist() for part in np.array_split(rng.permutation(len(corpus)), FOLDS)]
    return [([row for other in parts if other is not part for row in other], part) for part in parts]


def _chosen(features: Vectors, truth: np.ndarray, known: list[int], rng: np.random.Generator) -> float:
    order = rng.permutation(known)
    held, rest = np.split(order, [round(HELD * len(order))])

    def right(penalty: float) -> float:
        return float((_told(features, truth, rest, held, penalty) == truth[held]).mean())

    return max(PENALTIES, key=right)


def _told(features: Vectors, truth: np.ndarray, known: Rows, unknown: Rows, penalty: float) -> np.ndarray:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    reader = make_pipeline(StandardScaler(), LogisticRegression(C=penalty, max_iter=1000, tol=1e-3))
    found: np.ndarray = reader.fit(features[known], truth[known]).predict(features[unknown])
    return found
