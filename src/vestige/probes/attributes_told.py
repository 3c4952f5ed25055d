"""One attribute under attack: the labels that the stranger has, what it makes of them, and how often it is right."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.attributes import AttributeInference
from vestige.case.case import Auxiliary, Knowledge, Truth
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.metrics.attribute_recovery import label_hits
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.types import Floats, Integers, LabelGuesses, Progress, Score


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
class Guesses:
    """How likely each class is where classes are as frequent as each other, and where they come as they do."""

    even: LabelGuesses
    natural: LabelGuesses


@dataclass(frozen=True)
class Told:
    """An attribute that was attacked: the targets whose class the stranger has labels of, and the class of each.

    `unseen` targets are of a class of which it has none, `missing` ones carry no label; neither is scored. Intervals
    allow for the choice of the worst `among` so many attributes.
    """

    name: str
    lesson: Lesson
    targets: list[int]
    truth: list[str]
    documents: list[str]
    guesses: Guesses
    unseen: int
    missing: int
    among: int = 1

    @property
    def classes(self) -> Counter[str]:
        """How many targets each class has."""
        return Counter(self.truth)

    def balanced(self, guesses: Sequence[LabelGuesses], depth: int, seed: int) -> Score:
        """How often one of the first guesses is right, every class counting the same, however many targets it has.

        The mean over several runs, where there are some.
        """
        hits, classes = np.mean([self.hits(each, depth) for each in guesses], axis=0), self.classes
        weights = np.array([1 / classes[label] for label in self.truth])
        return Scorer(self.documents, seed).score(hits, weights=weights, baseline=self.chance(depth), among=self.among)

    def chance(self, depth: int) -> float:
        """The same for whoever names the same classes for every text, whichever they are."""
        return min(depth / len(self.classes), 1.0)

    def hits(self, guesses: LabelGuesses, depth: int) -> Floats:
        """1 where the true class is among the first guesses."""
        own = replace(guesses, probabilities=guesses.probabilities[self.targets])
        return np.asarray(label_hits(own, self.truth)[:, int(depth > 1)])

    def narrowed(self, classes: int, draws: int, seed: int) -> Score | None:
        """How often the first guess is right where it is known to be one of so many classes, drawn several times.

        Every class that was drawn counts the same. The attack is the one that learned all classes. None where those
        drawn have too few documents for an interval.
        """
        even, names, rng = self.guesses.even, sorted(self.classes), stream(seed, "classes")
        chances = even.probabilities[self.targets]
        own = np.array([even.labels.index(label) for label in self.truth])
        hits, drawn = np.zeros(len(own)), np.zeros(len(own))
        for _ in range(draws):
            some = np.sort([even.labels.index(names[place]) for place in rng.permutation(len(names))[:classes]])
            here = np.isin(own, some)
            hits[here] += some[chances[here][:, some].argmax(axis=1)] == own[here]
            drawn += here
        weights = drawn / np.array([self.classes[label] for label in self.truth])
        values, scorer = hits / np.maximum(drawn, 1), Scorer(self.documents, seed)
        if not scorer.enough(weights):
            return None
        return scorer.score(values, weights=weights, baseline=1 / classes, among=self.among)

    def fixed(self) -> Floats:
        """1 where the class is the one that is most frequent in truth."""
        (common, _), *_ = Counter(sorted(self.truth)).most_common(1)
        return np.array([label == common for label in self.truth], dtype=np.float64)


def attacked(knowledge: Knowledge, truth: Truth, name: str, settings: Settings, progress: Progress) -> Told | str:
    """The attribute attacked with all labels that the stranger has; or why it cannot be scored."""
    lesson = Lesson.of(knowledge.auxiliary, name, settings.seed)
    if not lesson.teaches:
        return (
            f"the stranger's {len(knowledge.auxiliary.texts):,} texts, without those of threads under attack, show no "
            "two classes of it"
        )
    labels = truth.attributes[name]
    targets = [row for row, label in enumerate(labels) if label in lesson.rows]
    known, documents = [str(labels[row]) for row in targets], [truth.documents[row] for row in targets]
    if len(set(documents)) < FEWEST_DOCUMENTS or len(set(known)) < 2:
        return (
            f"{len(set(documents))} target documents are of {len(set(known))} classes that the stranger has labels of, "
            f"where {FEWEST_DOCUMENTS} of two classes are needed"
        )
    missing = sum(label is None for label in labels)
    guesses = inferred(knowledge, lesson, settings, progress, most=settings.labels)
    return Told(name, lesson, targets, known, documents, guesses, len(labels) - missing - len(targets), missing)


def inferred(
    knowledge: Knowledge, lesson: Lesson, settings: Settings, progress: Progress, *, most: int, shuffle: int = 0
) -> Guesses:
    """How likely each class is, target by target, from at most so many labels a class; no truth from here.

    A `shuffle` other than 0 deals the labels out anew, document by document, another number otherwise.
    """
    pairs = knowledge.auxiliary
    rows, labels = lesson.drawn(most)
    documents = [pairs.documents[row] for row in rows]
    if shuffle:
        labels = dealt_anew(labels, documents, stream(settings.seed, f"shuffle {shuffle}"))
    published = settings.recipe == "paper"
    attack = AttributeInference(recipe="song" if published else "default").fit(
        pairs.vectors[rows], labels, rng=stream(settings.seed, "attack"), documents=documents, progress=progress
    )
    found = attack.infer(knowledge.targets)
    if published:
        return Guesses(found, found)
    return Guesses(weighed(found, labels, dict.fromkeys(found.labels, 1.0)), weighed(found, labels, lesson.shares))


def weighed(guesses: LabelGuesses, labels: Sequence[str], shares: dict[str, float]) -> LabelGuesses:
    """Chances among texts of which each class has such a share, from those among the labels, by Bayes' rule."""
    drawn = Counter(labels)
    chances = guesses.probabilities * [shares[label] / drawn[label] for label in guesses.labels]
    return replace(guesses, probabilities=chances / chances.sum(axis=1, keepdims=True))


def dealt_anew(labels: Sequence[str], documents: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Every document is given the label of another; in one that holds several labels, they change places."""
    held: dict[str, list[int]] = defaultdict(list)
    for row, document in enumerate(documents):
        held[document].append(row)
    dealt = list(labels)
    whole = sorted(name for name, rows in held.items() if len({labels[row] for row in rows}) == 1)
    for name, place in zip(whole, rng.permutation(len(whole)), strict=True):
        for row in held[name]:
            dealt[row] = labels[held[whole[place]][0]]
    for name in sorted(held.keys() - set(whole)):
        for row, other in zip(held[name], rng.permutation(held[name]), strict=True):
            dealt[row] = labels[other]
    return dealt
