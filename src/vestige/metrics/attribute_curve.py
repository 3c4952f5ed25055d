"""Accuracy against the number of labels per class, and against the number of classes.

These are the curves of Song and Raghunathan 2020, Figure 3.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np

from vestige.errors import InputError
from vestige.metrics.attribute_recovery import DEPTH, fixed_guess, label_hits
from vestige.metrics.intervals import document_mean
from vestige.text.split import Split
from vestige.types import Floats, Integers, LabelGuesses, Progress, Score, Vectors, silent

LEVEL = 0.95


class LabelAttack(Protocol):
    """Learns labels from vectors, or from texts, and guesses them."""

    def fit(self, given: Any, labels: Any, *, rng: np.random.Generator) -> Self:
        """Learn from labelled rows."""

    def infer(self, given: Any) -> LabelGuesses:
        """Guess the label of each row."""


@dataclass(frozen=True)
class Labelled:
    """Rows with their label and document, and the split between what the adversary holds and what it attacks.

    `given` are the vectors or the texts. Rows without a label are ignored. At most
    `targets_per_class` rows of each class are attacked.
    """

    given: Vectors | Sequence[str]
    labels: Sequence[str | None]
    documents: Sequence[str]
    split: Split
    targets_per_class: int = 250

    def take(self, rows: Integers) -> Any:
        """The vectors or texts of these rows."""
        return self.given[rows] if isinstance(self.given, np.ndarray) else [self.given[row] for row in rows]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The mean over `draws` of classes and labels.

    Each end is the wider one of two intervals, over documents and over draws (Student's t).
    """

    classes: int
    labels_per_class: int
    draws: int
    top1: Score
    top5: Score


def accuracy_by_labels(
    make: Callable[[], LabelAttack],
    data: Labelled,
    *,
    rng: np.random.Generator,
    counts: Sequence[int] = (10, 20, 30, 40, 50),
    classes: int = 100,
    draws: int = 5,
    shuffled: bool = False,
    progress: Progress = silent,
) -> list[CurvePoint]:
    """Accuracy against the number of labels per class that the adversary holds.

    `make` returns a new attack, such as the class `AttributeInference`; `data` are vectors with labels and documents,
    split as `split_by_author` does. There is one point for each of `counts`; within a draw, the `classes` stay the same
    and labels are added. `shuffled` fits on randomly permuted labels: the control, which should score at chance.

        split = split_by_author(authors, documents, rng)
        accuracy_by_labels(AttributeInference, Labelled(vectors, authors, documents, split), rng=rng, classes=20)
    """
    return _curve(make, data, [(classes, count) for count in counts], draws, shuffled, rng, progress)


def accuracy_by_classes(
    make: Callable[[], LabelAttack],
    data: Labelled,
    *,
    rng: np.random.Generator,
    classes: Sequence[int] = (100, 200, 400, 800),
    labels_per_class: int = 50,
    draws: int = 5,
    shuffled: bool = False,
    progress: Progress = silent,
) -> list[CurvePoint]:
    """Accuracy against the number of classes to choose from; everything else is as in `accuracy_by_labels`.

    There is one point for each of `classes`; within a draw, classes are added. The attack of each point learns only
    from the labels of its own classes.
    """
    return _curve(make, data, [(size, labels_per_class) for size in classes], draws, shuffled, rng, progress)


def _curve(
    make: Callable[[], LabelAttack],
    data: Labelled,
    sizes: list[tuple[int, int]],
    draws: int,
    shuffled: bool,
    rng: np.random.Generator,
    progress: Progress,
) -> list[CurvePoint]:
    advance = progress("drawing labels", draws * len(sizes))
    hits: dict[tuple[int, int], list[tuple[Integers, Floats]]] = defaultdict(list)
    for auxiliary, target in _draws(data, sizes, draws, rng):
        for classes, count in sizes:
            learned = np.concatenate([rows[:count] for rows in auxiliary[:classes]])
            attacked = np.concatenate(target[:classes])
            labels = np.array([data.labels[row] for row in learned])
            attack = make().fit(data.take(learned), list(rng.permutation(labels) if shuffled else labels), rng=rng)
            truth = [str(data.labels[row]) for row in attacked]
            hits[classes, count].append((attacked, label_hits(attack.infer(data.take(attacked)), truth)))
            advance(1)
    return [_build_point(data, classes, count, hits[classes, count], rng) for classes, count in sizes]


def _draws(
    data: Labelled, sizes: list[tuple[int, int]], draws: int, rng: np.random.Generator
) -> Iterator[tuple[list[Integers], list[Integers]]]:
    """Per draw, classes in random order, and the auxiliary and target rows of each in random order."""
    most, labels = (max(column) for column in zip(*sizes, strict=True))
    sides = [_by_label(data.labels, rows) for rows in (data.split.auxiliary, data.split.target)]
    names = sorted(name for name in sides[0] if len(sides[0][name]) >= labels and name in sides[1])
    if len(names) < most:
        raise InputError(
            f"{len(names)} classes have {labels} labels or more for the adversary and a text to attack; "
            f"expected {most}; use fewer classes or fewer labels"
        )
    for _ in range(draws):
        chosen = [names[place] for place in rng.permutation(len(names))[:most]]
        auxiliary, target = ([rng.permutation(side[name]) for name in chosen] for side in sides)
        yield auxiliary, [rows[: data.targets_per_class] for rows in target]


def _by_label(labels: Sequence[str | None], rows: Sequence[int]) -> dict[str, list[int]]:
    held: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        label = labels[row]
        if isinstance(label, str) and label.strip():
            held[label].append(row)
    return held


def _build_point(
    data: Labelled, classes: int, count: int, draws: list[tuple[Integers, Floats]], rng: np.random.Generator
) -> CurvePoint:
    owners = [data.documents[row] for rows, _ in draws for row in rows]
    scores = []
    for column, depth in enumerate((1, DEPTH)):
        prior = np.mean([fixed_guess([str(data.labels[row]) for row in rows], depth) for rows, _ in draws])
        values = [hits[:, column] for _, hits in draws]
        over_documents = document_mean(np.concatenate(values), owners, rng, baseline=float(prior))
        scores.append(_widen(over_documents, [float(each.mean()) for each in values]))
    return CurvePoint(classes, count, len(draws), *scores)


def _widen(score: Score, means: list[float]) -> Score:
    """Widen the interval to include that of the mean over draws."""
    from scipy.stats import t

    if len(means) < 2:
        return score
    reach = float(t.ppf((1 + LEVEL) / 2, len(means) - 1) * np.std(means, ddof=1) / np.sqrt(len(means)))
    low, high = max(score.value - reach, 0.0), min(score.value + reach, 1.0)
    return replace(score, low=round(min(score.low, low), 6), high=round(max(score.high, high), 6))
