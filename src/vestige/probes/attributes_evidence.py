"""The evidence of the probe `attributes`: every attribute, accuracy by labels and classes, class by class."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.attacks.attributes.text_baselines import TextTfidf
from vestige.case.case import Knowledge, Truth
from vestige.case.findings import Bar, Chart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.probes.attribute_inference import AttackedAttribute, LabelDraw, infer_each
from vestige.types import Progress, Score

COUNTS = (5, 10, 20, 50, 100, 200, 500)
CLASSES, DRAWS = (2, *COUNTS), 10
SHOWN_CLASSES = 10


def by_attribute(
    attacked: Sequence[AttackedAttribute], ranges: Sequence[str], skipped: dict[str, str], settings: Settings
) -> Chart:
    """The first guess of each attribute, the one at greatest risk first; and what was not scored."""
    bars = tuple(
        Bar(f"{each.name} ({len(each.labelled.rows):,} classes)", _first(each, settings.seed)) for each in attacked
    )
    notes = [note for each in attacked for note in _notes(each, ranges)]
    if skipped:
        listed = "; ".join(f"“{name}” ({why})" for name, why in skipped.items())
        notes.append(f"Not scored: {listed}.")
    return Chart(
        "Which attributes are inferred",
        "How often the first guess is right, every class with equal weight; the mark is guessing. The scores above are "
        f"those of “{attacked[0].name}”, which is at greatest risk; the intervals allow for the choice among "
        f"{len(attacked)}.{''.join(f' {note}' for note in notes)}",
        bars,
    )


def by_labels(
    worst: AttackedAttribute, knowledge: Knowledge, truth: Truth | None, settings: Settings, progress: Progress
) -> Chart:
    """Accuracy by the number of labels per class; and that of a classifier of the texts, if these are available."""
    largest = max(map(len, worst.labelled.rows.values()))
    counts = [count for count in COUNTS if count < min(settings.labels, largest)]
    fewer = infer_each(knowledge, worst.labelled, settings, progress, [LabelDraw(count) for count in counts])
    bars = [
        Bar(f"{count} labels per class", worst.balanced([guesses.even], 1, settings.seed))
        for count, guesses in zip(counts, fewer, strict=True)
    ]
    bars.append(Bar(f"{settings.labels} labels per class", _first(worst, settings.seed)))
    if truth is not None:
        bars.append(Bar("the text itself, in place of its vector", _from_text(worst, knowledge, truth, settings)))
    last = (
        " The last bar is a classifier of the texts themselves, by their words and letters (tf-idf), with "
        f"{settings.labels} labels per class."
    )
    return Chart(
        f"How many labels it takes to infer “{worst.name}”",
        "How often the first guess is right with at most so many labelled texts per class, every class with equal "
        f"weight; the mark is guessing.{'' if truth is None else last}",
        tuple(bars),
    )


def by_classes(worst: AttackedAttribute, settings: Settings) -> Iterator[Chart]:
    """Accuracy by the number of classes to choose from; no chart if there are only two."""
    known = len(worst.classes)
    drawn = {size: worst.score_subset(size, DRAWS, settings.seed) for size in CLASSES if size < known}
    bars = [Bar(f"{size:,} classes", score) for size, score in drawn.items() if score is not None]
    if bars:
        yield Chart(
            f"Among how many classes “{worst.name}” is inferred",
            "How often the first guess is right if the attacker knows that a text is of one of so many classes, drawn "
            f"{DRAWS} times from the {known:,}, every class with equal weight; the mark is guessing. The last bar has "
            f"all of them. At most {settings.labels} labels per class.",
            (*bars, Bar(f"{known:,} classes", _first(worst, settings.seed))),
        )


def by_class(worst: AttackedAttribute, *, named: bool, seed: int) -> Iterator[Chart]:
    """The classes at greatest risk among those with enough documents for an interval; no chart if none has."""
    even = worst.guesses.even
    guessed = np.array(even.labels)[even.probabilities[worst.targets].argmax(axis=1)]
    truth, scorer = np.array(worst.truth), Scorer(worst.documents, seed)
    bars = []
    for label in worst.labelled.rows:
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
            f"Which classes of “{worst.name}” are inferred",
            "Of the texts of the class, the share for which it is the first guess; the mark is how often it is the "
            "first guess for other texts. Classes with enough target documents for an interval, the one at greatest "
            f"risk first.{masked}",
            tuple(
                Bar(label if named else f"class {place}", score)
                for place, (label, score) in enumerate(bars[:SHOWN_CLASSES], 1)
            ),
        )


def _first(attacked: AttackedAttribute, seed: int) -> Score:
    return attacked.balanced([attacked.guesses.even], 1, seed)


def _from_text(worst: AttackedAttribute, knowledge: Knowledge, truth: Truth, settings: Settings) -> Score:
    rows, labels = worst.labelled.draw(settings.labels)
    classifier = TextTfidf().fit(
        [knowledge.auxiliary.texts[row] for row in rows], labels, rng=stream(settings.seed, "attack")
    )
    return worst.balanced([classifier.infer(truth.texts)], 1, settings.seed)


def _notes(attacked: AttackedAttribute, ranges: Sequence[str]) -> Iterator[str]:
    if attacked.name in ranges:
        yield f"“{attacked.name}” contains numbers, grouped into the ranges {', '.join(attacked.labelled.rows)}."
    if attacked.unseen:
        yield (
            f"For “{attacked.name}”, {attacked.unseen:,} target texts are of a class that the attacker has no label "
            "for; they are not scored."
        )
    if attacked.missing:
        yield f"{attacked.missing:,} target texts have no “{attacked.name}”."
