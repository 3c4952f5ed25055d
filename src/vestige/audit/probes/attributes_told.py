"""One attribute under attack: the labels that the stranger has, what it makes of them, and how often it is right."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.attributes import AttributeInference
from vestige.audit.case import Auxiliary, Knowledge, Truth
from vestige.audit.randomness import stream
from vestige.audit.settings import Settings
from vestige.metrics.attribute_recovery import DEPTH, label_hits
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.types import Floats, Integers, LabelGuesses, Progress

NOT_RANKED = 10
"""Of so few classes the first five guesses say little."""


@dataclass(frozen=True)
class Lesson:
    """The stranger's labelled texts of each class in random order, and how frequent the class is among its texts."""

    rows: dict[str, Integers]
    shares: dict[str, float]

    @classmethod
    def of(cls, pairs: Auxiliary, name: str, seed: int) -> "Lesson":
        """All texts that carry a label."""
        held: dict[str, list[int]] = defaultdict(list)
        for row, label in enumerate(pairs.attributes[name]):
            if label is not None:
                held[label].append(row)
        rng, labelled = stream(seed, f"labels of {name}"), sum(map(len, held.values()))
        return cls(
            {label: rng.permutation(held[label]) for label in sorted(held)},
            {label: len(rows) / labelled for label, rows in held.items()},
        )

    @property
    def teaches(self) -> bool:
        """Whether there are two classes, and two texts of one."""
        return len(self.rows) > 1 and max(map(len, self.rows.values())) > 1

    def drawn(self, most: int) -> tuple[Integers, list[str]]:
        """At most so many rows a class, and the label of each."""
        kept = {label: rows[:most] for label, rows in self.rows.items()}
        return np.concatenate(list(kept.values())), [label for label, rows in kept.items() for _ in rows]


@dataclass(frozen=True)
class Told:
    """An attribute that was attacked: the targets whose class the stranger has labels of, and the guesses for them.

    `unseen` targets are of a class of which it has none, `missing` ones carry no label; neither is scored.
    """

    name: str
    lesson: Lesson
    targets: list[int]
    truth: list[str]
    documents: list[str]
    guesses: LabelGuesses
    unseen: int
    missing: int

    @property
    def hits(self) -> Floats:
        """For each target whether the first guess is right, and whether one of the first five is."""
        return label_hits(self.guesses, self.truth)

    @property
    def fixed(self) -> Floats:
        """The same for those who never saw a vector and name the classes that are most frequent in truth."""
        common = [label for label, _ in Counter(sorted(self.truth)).most_common(DEPTH)]
        return np.array([[label in common[:1], label in common] for label in self.truth], dtype=np.float64)

    @property
    def gain(self) -> float:
        """By how much the first guess is right more often."""
        return float((self.hits[:, 0] - self.fixed[:, 0]).mean())

    @property
    def many(self) -> bool:
        """Whether there are enough classes for five guesses to say something."""
        return len(self.lesson.rows) > NOT_RANKED

    def guessed(self, guesses: LabelGuesses) -> "Told":
        """The same with other guesses, a row for each vector of the audit."""
        return replace(self, guesses=replace(guesses, probabilities=guesses.probabilities[self.targets]))


def attacked(knowledge: Knowledge, truth: Truth, name: str, settings: Settings, progress: Progress) -> Told | str:
    """The attribute attacked with all labels that the stranger has; or why it cannot be scored."""
    lesson = Lesson.of(knowledge.auxiliary, name, settings.seed)
    if not lesson.teaches:
        return f"the stranger's {len(knowledge.auxiliary.texts):,} texts show no two classes of it"
    labels = truth.attributes[name]
    targets = [row for row, label in enumerate(labels) if label in lesson.rows]
    documents = [truth.documents[row] for row in targets]
    if len(set(documents)) < FEWEST_DOCUMENTS:
        return f"{len(set(documents))} target documents are of a class that the stranger has labels of, too few"
    missing = sum(label is None for label in labels)
    guesses = inferred(knowledge, lesson, settings, progress, most=settings.labels)
    blank = LabelGuesses((), np.empty((len(labels), 0)))
    return Told(
        name,
        lesson,
        targets,
        [str(labels[row]) for row in targets],
        documents,
        blank,
        len(labels) - missing - len(targets),
        missing,
    ).guessed(guesses)


def inferred(
    knowledge: Knowledge, lesson: Lesson, settings: Settings, progress: Progress, *, most: int, shuffled: bool = False
) -> LabelGuesses:
    """How likely each class is, target by target, from at most so many labels a class; no truth from here.

    `shuffled` deals the labels out anew, document by document.
    """
    pairs = knowledge.auxiliary
    rows, labels = lesson.drawn(most)
    documents = [pairs.documents[row] for row in rows]
    if shuffled:
        labels = _dealt_anew(labels, documents, stream(settings.seed, "shuffled"))
    published = settings.recipe == "paper"
    attack = AttributeInference(recipe="song" if published else "default").fit(
        pairs.vectors[rows], labels, rng=stream(settings.seed, "attack"), documents=documents, progress=progress
    )
    guesses = attack.infer(knowledge.targets)
    return guesses if published else _as_frequent(guesses, labels, lesson.shares)


def _as_frequent(guesses: LabelGuesses, labels: Sequence[str], shares: dict[str, float]) -> LabelGuesses:
    """Chances among labels that were drawn evenly made those among texts as they come, by Bayes' rule."""
    drawn = Counter(labels)
    odds = np.array([shares[label] * len(labels) / drawn[label] for label in guesses.labels])
    weighed = guesses.probabilities * odds
    return replace(guesses, probabilities=weighed / weighed.sum(axis=1, keepdims=True))


def _dealt_anew(labels: Sequence[str], documents: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Every document is given the label of another."""
    first = dict(zip(reversed(documents), reversed(labels), strict=True))
    names = sorted(first)
    dealt = dict(zip(names, (first[names[place]] for place in rng.permutation(len(names))), strict=True))
    return [dealt[document] for document in documents]
