"""What sentence vectors are useful for: accuracy on four benchmarks of sentence encoders.

MPQA (polarity of an opinion), TREC (type of a question), SUBJ (opinion or fact) and MSRP (are two sentences
paraphrases?), by logistic regression, as Song and Raghunathan 2020 measure the cost of a defense (Section 7).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import document_mean
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.types import Integers, Score, Vectors

TASKS = ("mpqa", "trec", "subj", "msrp")
FOLDS = 5
PENALTIES = (0.01, 0.1, 1.0)
HELD = 0.2

Fold = tuple[list[int], list[int]]
"""Training rows and test rows."""

Rows = list[int] | Integers


@dataclass(frozen=True)
class SentenceTask:
    """Sentences, or pairs of sentences if there are `seconds`, with their classes and the folds."""

    name: str
    sentences: list[str]
    seconds: list[str]
    labels: list[str]
    folds: list[Fold]

    def features(self, encode: Callable[[Sequence[str]], Vectors]) -> Vectors:
        """The vectors; for pairs, |u - v| and u · v, column by column (Kiros et al. 2015)."""
        first = encode(self.sentences)
        if not self.seconds:
            return first
        second = encode(self.seconds)
        return np.hstack([np.abs(first - second), first * second])


def read_task(name: str, *, rng: np.random.Generator, most: int | None = None) -> SentenceTask:
    """Read a task from the folder in VESTIGE_DATA; with `most`, at most that many of its rows, drawn at random.

    TREC and MSRP have a training and a test part; the others are cross-validated in five folds.
    """
    if name not in TASKS:
        raise InputError(f"'{name}' is not a sentence task; expected one of {', '.join(TASKS)}")
    whole = load_corpus(name)
    corpus = whole.take(np.sort(rng.permutation(len(whole))[:most]).tolist())
    columns = corpus.attributes
    return SentenceTask(
        name, corpus.texts, columns.get("second", []), list(map(str, columns["label"])), _folds(corpus, rng)
    )


def task_accuracy(task: SentenceTask, encode: Callable[[Sequence[str]], Vectors], *, rng: np.random.Generator) -> Score:
    """Accuracy on the test rows, with an interval; the baseline is the accuracy of the most frequent class.

    Columns are standardised. The penalty is the best of three on a fifth of the first fold's training rows.
    """
    features, truth = task.features(encode), np.asarray(task.labels)
    penalty = _choose_penalty(features, truth, task.folds[0][0], rng)
    hits, tested = [], []
    for known, unknown in task.folds:
        hits.append(_predict(features, truth, known, unknown, penalty) == truth[unknown])
        tested.append(unknown)
    rows = np.concatenate(tested)
    names, counts = np.unique(truth, return_counts=True)
    majority = float((truth[rows] == names[counts.argmax()]).mean())
    return document_mean(np.concatenate(hits), [str(row) for row in rows], rng, baseline=majority)


def _folds(corpus: Corpus, rng: np.random.Generator) -> list[Fold]:
    if "split" in corpus.attributes:
        test = np.array([part == "test" for part in corpus.attributes["split"]])
        return [(np.flatnonzero(~test).tolist(), np.flatnonzero(test).tolist())]
    parts = [part.tolist() for part in np.array_split(rng.permutation(len(corpus)), FOLDS)]
    return [([row for other in parts if other is not part for row in other], part) for part in parts]


def _choose_penalty(features: Vectors, truth: np.ndarray, known: list[int], rng: np.random.Generator) -> float:
    order = rng.permutation(known)
    held, rest = np.split(order, [round(HELD * len(order))])

    def accuracy(penalty: float) -> float:
        return float((_predict(features, truth, rest, held, penalty) == truth[held]).mean())

    return max(PENALTIES, key=accuracy)


def _predict(features: Vectors, truth: np.ndarray, known: Rows, unknown: Rows, penalty: float) -> np.ndarray:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    classifier = make_pipeline(StandardScaler(), LogisticRegression(C=penalty, max_iter=1000, tol=1e-3))
    predicted: np.ndarray = classifier.fit(features[known], truth[known]).predict(features[unknown])
    return predicted
