"""Accuracy against how many labels a class the adversary holds, and against how many classes there are (Figure 3)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np

from vestige.errors import InputError
from vestige.metrics.attribute_recovery import DEPTH, fixed_guess, label_hits
from vestige.metrics.bootstrap import document_mean
from vestige.text.split import Split
from vestige.types import Floats, Integers, LabelGuesses, Progress, Score, Vectors, silent

LEVEL = 0.95


class LabelReader(Protocol):
    """What learns labels from vectors, or from texts, and guesses them."""

    def fit(self, given: Any, labels: Any, *, rng: np.random.Generator) -> Self:
        """Learn from labelled rows."""

    def infer(self, given: Any) -> LabelGuesses:
        """Guess the label of each row."""


@dataclass(frozen=True)
class Labelled:
    """Rows with their label and document, and the wall between what the adversary holds and what it attacks.

    `given` are the vectors or the texts. A row without a label is no part of anything.
    """

    given: Vectors | Sequence[str]
    labels: Sequence[str | None]
    documents: Sequence[str]
    wall: Split
    targets_a_class: int = 250

    def take(self, rows: Integers) -> Any:
        """The rows asked for."""
        return self.given[rows] if isinstance(self.given, np.ndarray) else [self.given[row] for row in rows]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The mean over `draws` of classes and labels.

    Two intervals are found, over documents and over draws (Student's t); each end is the farther one.
    """

    classes: int
    labels_a_class: int
    draws: int
    top1: Score
    top5: Score


def accuracy_by_labels(
    make: Callable[[], LabelReader],
    data: Labelled,
    *,
    rng: np.random.Generator,
    counts: Sequence[int] = (10, 20, 30, 40, 50),
    classes: int = 100,
    draws: int = 5,
    shuffled: bool = False,
    progress: Progress = silent,
) -> list[CurvePoint]:
    """How often a label is guessed, against how many labels of each class the adversary holds.

    `make` gives a new attack, such as the class `AttributeInference`; `data` are vectors with labels and documents,
    parted by a wall as `split_by_author` draws it. A point for each of `counts`; within a draw the `classes` are the
    same and labels are added. `shuffled` fits on labels dealt out at random: the control, which should find chance.

        wall = split_by_author(authors, documents, rng)
        accuracy_by_labels(AttributeInference, Labelled(vectors, authors, documents, wall), rng=rng, classes=20)
    """
    return _curve(make, data, [(classes, count) for count in counts], draws, shuffled, rng, progress)


def accuracy_by_classes(
    make: Callable[[], LabelReader],
    data: Labelled,
    *,
    rng: np.random.Generator,
    classes: Sequence[int] = (100, 200, 400, 800),
    labels_a_class: int = 50,
    draws: int = 5,
    shuffled: bool = False,
    progress: Progress = silent,
) -> list[CurvePoint]:
    """How often a label is guessed, against how many classes there are to choose from; all else as for labels.

    A point for each of `classes`; within a draw classes are added. Each point has an attack that learned from the
    labels of its own classes alone.
    """
    return _curve(make, data, [(size, labels_a_class) for size in classes], draws, shuffled, rng, progress)


def _curve(
    make: Callable[[], LabelReader],
    data: Labelled,
    sizes: list[tuple[int, int]],
    draws: int,
    shuffled: bool,
    rng: np.random.Generator,
    progress: Progress,
) -> list[CurvePoint]:
    advance = progress("drawing labels", draws * len(sizes))
    found: dict[tuple[int, int], list[tuple[Integers, Floats]]] = defaultdict(list)
    for auxiliary, target in _draws(data, sizes, draws, rng):
        for classes, count in sizes:
            learned = np.concatenate([rows[:count] for rows in auxiliary[:classes]])
            attacked = np.concatenate(target[:classes])
            labels = np.array([data.labels[row] for row in learned])
            reader = make().fit(data.take(learned), list(rng.permutation(labels) if shuffled else labels), rng=rng)
            truth = [str(data.labels[row]) for row in attacked]
            found[classes, count].append((attacked, label_hits(reader.infer(data.take(attacked)), truth)))
            advance(1)
    return [_point(data, classes, count, found[classes, count], rng) for classes, count in sizes]


def _draws(
    data: Labelled, sizes: list[tuple[int, int]], draws: int, rng: np.random.Generator
) -> Iterator[tuple[list[Integers], list[Integers]]]:
    """Classes in random order, and the rows of each on either side of the wall in random order."""
    most, labels = (max(column) for column in zip(*sizes, strict=True))
    sides = [_by_label(data.labels, rows) for rows in (data.wall.auxiliary, data.wall.target)]
    names = sorted(name for name in sides[0] if len(sides[0][name]) >= labels and name in sides[1])
    if len(names) < most:
        raise InputError(
            f"{len(names)} classes have {labels} labels or more for the adversary and a text to attack; "
            f"expected {most}; ask for fewer classes or fewer labels"
        )
    for _ in range(draws):
        chosen = [names[place] for place in rng.permutation(len(names))[:most]]
        auxiliary, target = ([rng.permutation(side[name]) for name in chosen] for side in sides)
        yield auxiliary, [rows[: data.targets_a_class] for rows in target]


def _by_label(labels: Sequence[str | None], rows: Sequence[int]) -> dict[str, list[int]]:
    held: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        label = labels[row]
        if isinstance(label, str) and label.strip():
            held[label].append(row)
    return held


def _point(
    data: Labelled, classes: int, count: int, found: list[tuple[Integers, Floats]], rng: np.random.Generator
) -> CurvePoint:
    owners = [data.documents[row] for rows, _ in found for row in rows]
    scores = []
    for column, depth in enumerate((1, DEPTH)):
        prior = np.mean([fixed_guess([str(data.labels[row]) for row in rows], depth) for rows, _ in found])
        values = [hits[:, column] for _, hits in found]
        over_documents = document_mean(np.concatenate(values), owners, rng, baseline=float(prior))
        scores.append(_widened(over_documents, [float(each.mean()) for each in values]))
    return CurvePoint(classes, count, len(found), *scores)


def _widened(score: Score, means: list[float]) -> Score:
    """The interval stretched to that of the mean of the draws."""
    from scipy.stats import t

    if len(means) < 2:
        return score
    reach = float(t.ppf((1 + LEVEL) / 2, len(means) - 1) * np.std(means, ddof=1) / np.sqrt(len(means)))
    low, high = max(score.value - reach, 0.0), min(score.value + reach, 1.0)
    return replace(score, low=round(min(score.low, low), 6), high=round(max(score.high, high), 6))
