"""What the probe `attributes` shows beside its figures: every attribute, how many labels it takes, class by class."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.attacks.attributes.text_tfidf import TextTfidf
from vestige.case.case import Knowledge, Truth
from vestige.case.findings import Bar, Chart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.probes.attributes_told import Told, inferred
from vestige.types import Progress, Score

COUNTS = (5, 10, 20, 50, 100, 200, 500)
CLASSES, DRAWS = (2, *COUNTS), 10
SHOWN_CLASSES = 10


def by_attribute(told: Sequence[Told], ranges: Sequence[str], apart: dict[str, str], settings: Settings) -> Chart:
    """The first guess of each attribute, the one at greatest risk first; and what was left out."""
    bars = tuple(Bar(f"{each.name} ({len(each.lesson.rows):,} classes)", _first(each, settings.seed)) for each in told)
    notes = [note for each in told for note in _notes(each, ranges)]
    if apart:
        listed = "; ".join(f"“{name}” ({why})" for name, why in apart.items())
        notes.append(f"Not scored: {listed}.")
    return Chart(
        "Which attributes are told",
        "How often the first guess is right, every class counting the same; the mark is guessing. The figures "
        f"above are those of “{told[0].name}”, which is told best; the intervals allow for the choice among "
        f"{len(told)}.{''.join(f' {note}' for note in notes)}",
        bars,
    )


def by_labels(worst: Told, knowledge: Knowledge, truth: Truth | None, settings: Settings, progress: Progress) -> Chart:
    """Against how many labels of a class the stranger has, and beside what the text itself gives where it is there."""
    largest = max(map(len, worst.lesson.rows.values()))
    counts = [count for count in COUNTS if count < min(settings.labels, largest)]
    fewer = [inferred(knowledge, worst.lesson, settings, progress, most=count).even for count in counts]
    bars = [
        Bar(f"{count} labels a class", worst.balanced([guesses], 1, settings.seed))
        for count, guesses in zip(counts, fewer, strict=True)
    ]
    bars.append(Bar(f"{settings.labels} labels a class", _first(worst, settings.seed)))
    if truth is not None:
        bars.append(Bar("the text itself, in place of its vector", _from_text(worst, knowledge, truth, settings)))
    last = (
        " The last line is a reader of the texts themselves, by their words and letters (tf-idf), with "
        f"{settings.labels} labels a class."
    )
    return Chart(
        f"How many labels it takes to tell “{worst.name}”",
        "How often the first guess is right with at most so many labelled texts of a class, every class counting the "
        f"same; the mark is guessing.{'' if truth is None else last}",
        tuple(bars),
    )


def by_classes(worst: Told, settings: Settings) -> Iterator[Chart]:
    """Against how many classes there are to choose from; none where there are but two."""
    known = len(worst.classes)
    drawn = {size: worst.narrowed(size, DRAWS, settings.seed) for size in CLASSES if size < known}
    bars = [Bar(f"{size:,} classes", score) for size, score in drawn.items() if score is not None]
    if bars:
        yield Chart(
            f"Among how many classes “{worst.name}” is told",
            "How often the first guess is right where the stranger knows that a text is of one of so many classes, "
            f"drawn {DRAWS} times from the {known:,}, every class counting the same; the mark is guessing. The last "
            f"line has all of them. At most {settings.labels} labels a class.",
            (*bars, Bar(f"{known:,} classes", _first(worst, settings.seed))),
        )


def by_class(worst: Told, *, named: bool, seed: int) -> Iterator[Chart]:
    """The classes at greatest risk, of those with documents enough for an interval; none where no class has."""
    even = worst.guesses.even
    guessed = np.array(even.labels)[even.probabilities[worst.targets].argmax(axis=1)]
    truth, scorer = np.array(worst.truth), Scorer(worst.documents, seed)
    bars = []
    for label in worst.lesson.rows:
        own, claimed = truth == label, guessed == label
        if scorer.enough(own.astype(np.float64)) and not own.all():
            alarm = float(claimed[~own].mean())
            bars.append(
                (label, scorer.score(claimed.astype(np.float64), weights=own.astype(np.float64), baseline=alarm))
            )
    bars.sort(key=lambda bar: (-bar[1].value, bar[0]))
    if bars:
        masked = "" if named else " Classes are masked; --show-text names them."
        yield Chart(
            f"Which classes of “{worst.name}” are told",
            "Of the texts of the class, the share for which it is the first guess; the mark is how often it is for "
            f"others. Classes of enough target documents for an interval, those told best first.{masked}",
            tuple(
                Bar(label if named else f"class {place}", score)
                for place, (label, score) in enumerate(bars[:SHOWN_CLASSES], 1)
            ),
        )


def _first(told: Told, seed: int) -> Score:
    return told.balanced([told.guesses.even], 1, seed)


def _from_text(worst: Told, knowledge: Knowledge, truth: Truth, settings: Settings) -> Score:
    rows, labels = worst.lesson.drawn(settings.labels)
    reader = TextTfidf().fit(
        [knowledge.auxiliary.texts[row] for row in rows], labels, rng=stream(settings.seed, "attack")
    )
    return worst.balanced([reader.infer(truth.texts)], 1, settings.seed)


def _notes(told: Told, ranges: Sequence[str]) -> Iterator[str]:
    if told.name in ranges:
        yield f"“{told.name}” holds numbers, put into the ranges {', '.join(told.lesson.rows)}."
    if told.unseen:
        yield (
            f"Of “{told.name}”, {told.unseen:,} target texts are of a class that none of the stranger's labels is of; "
            "they are not scored."
        )
    if told.missing:
        yield f"{told.missing:,} target texts have no “{told.name}”."
