"""One attribute under attack: the labels that the adversary holds, its guesses, and how often they are right."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.attributes.inference import AttributeInference
from vestige.case.case import Auxiliary, Knowledge, Truth
from vestige.case.findings import TargetScores
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.engine.threads import run_parallel
from vestige.metrics.attribute_recovery import label_hits
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.types import Floats, Integers, LabelGuesses, Progress, Score, silent


@dataclass(frozen=True)
class LabelledRows:
    """The adversary's labelled texts of each class in random order, and how frequent each class is among its texts."""

    rows: dict[str, Integers]
    shares: dict[str, float]

    @classmethod
    def collect(cls, pairs: Auxiliary, name: str, seed: int) -> "LabelledRows":
        """All texts that have a label."""
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
    def is_enough(self) -> bool:
        """Whether there are two classes, and two texts of one."""
        return len(self.rows) > 1 and max(map(len, self.rows.values())) > 1

    def draw(self, most: int) -> tuple[Integers, list[str]]:
        """At most `most` rows per class, and the label of each."""
        kept = {label: rows[:most] for label, rows in self.rows.items()}
        return np.concatenate(list(kept.values())), [label for label, rows in kept.items() for _ in rows]


@dataclass(frozen=True)
class AttributeGuesses:
    """The probability of each class if all classes are equally frequent, and with their natural frequencies."""

    even: LabelGuesses
    natural: LabelGuesses


@dataclass(frozen=True)
class AttackedAttribute:
    """An attribute that was attacked: the targets of a class that the adversary has labels for, and their classes.

    `unseen` targets are of another class, `missing` ones have no label; neither is scored. Intervals allow for the
    choice of the worst of `among` attributes.
    """

    name: str
    labelled: LabelledRows
    targets: list[int]
    truth: list[str]
    documents: list[str]
    guesses: AttributeGuesses
    unseen: int
    missing: int
    among: int = 1

    @property
    def classes(self) -> Counter[str]:
        """How many targets each class has."""
        return Counter(self.truth)

    def balanced(self, guesses: Sequence[LabelGuesses], depth: int, seed: int) -> Score:
        """How often one of the first `depth` guesses is right, every class with equal weight; the mean over runs."""
        hits, classes = np.mean([self.hits(each, depth) for each in guesses], axis=0), self.classes
        weights = np.array([1 / classes[label] for label in self.truth])
        return Scorer(self.documents, seed).score(hits, weights=weights, baseline=self.chance(depth), among=self.among)

    def record_gains(self, texts: Sequence[str], seed: int) -> TargetScores:
        """The gain of the first guess over chance for each target, every class with equal weight."""
        classes = self.classes
        weights = np.array([1 / classes[label] for label in self.truth])
        named = [f"{self.name}: {texts[row]}" for row in self.targets]
        gains = self.hits(self.guesses.even, 1) - self.chance(1)
        return Scorer(self.documents, seed).record_gains(gains, named, weights=weights)

    def chance(self, depth: int) -> float:
        """The same for an adversary who names the same classes for every text."""
        return min(depth / len(self.classes), 1.0)

    def hits(self, guesses: LabelGuesses, depth: int) -> Floats:
        """1 where the true class is among the first `depth` guesses."""
        own = replace(guesses, probabilities=guesses.probabilities[self.targets])
        return np.asarray(label_hits(own, self.truth)[:, int(depth > 1)])

    def score_subset(self, classes: int, draws: int, seed: int) -> Score | None:
        """How often the first guess is right among `classes` classes, drawn `draws` times, each with equal weight.

        The attack is the one that was fitted on all classes. None if the classes drawn have too few documents for an
        interval.
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
        """1 where the true class is the most frequent one."""
        (common, _), *_ = Counter(sorted(self.truth)).most_common(1)
        return np.array([label == common for label in self.truth], dtype=np.float64)


def attack_attribute(
    knowledge: Knowledge, truth: Truth, name: str, settings: Settings, progress: Progress
) -> AttackedAttribute | str:
    """Attack an attribute with all labels that the adversary holds, or say why it cannot be scored."""
    labelled = LabelledRows.collect(knowledge.auxiliary, name, settings.seed)
    if not labelled.is_enough:
        return (
            f"the attacker's {len(knowledge.auxiliary.texts):,} texts, without those of threads under attack, have "
            "fewer than two classes of it"
        )
    labels = truth.attributes[name]
    targets = [row for row, label in enumerate(labels) if label in labelled.rows]
    known, documents = [str(labels[row]) for row in targets], [truth.documents[row] for row in targets]
    if len(set(documents)) < FEWEST_DOCUMENTS or len(set(known)) < 2:
        return (
            f"{len(set(documents))} target documents are of {len(set(known))} classes that the attacker has labels "
            f"for; {FEWEST_DOCUMENTS} of two classes are required"
        )
    missing = sum(label is None for label in labels)
    guesses = infer_attribute(knowledge, labelled, settings, progress, most=settings.labels)
    return AttackedAttribute(
        name, labelled, targets, known, documents, guesses, len(labels) - missing - len(targets), missing
    )


def infer_attribute(
    knowledge: Knowledge, labelled: LabelledRows, settings: Settings, progress: Progress, *, most: int, shuffle: int = 0
) -> AttributeGuesses:
    """The probability of each class per target, from at most `most` labels per class; the truth is out of reach here.

    A `shuffle` other than 0 reassigns the labels at random, document by document, and seeds the draw.
    """
    pairs = knowledge.auxiliary
    rows, labels = labelled.draw(most)
    documents = [pairs.documents[row] for row in rows]
    if shuffle:
        labels = reassign_labels(labels, documents, stream(settings.seed, f"shuffle {shuffle}"))
    published = settings.recipe_kind == "paper"
    attack = AttributeInference(recipe="song" if published else "default").fit(
        pairs.vectors[rows], labels, rng=stream(settings.seed, "attack"), documents=documents, progress=progress
    )
    guesses = attack.infer(knowledge.targets)
    if published:
        return AttributeGuesses(guesses, guesses)
    return AttributeGuesses(
        reweigh(guesses, labels, dict.fromkeys(guesses.labels, 1.0)), reweigh(guesses, labels, labelled.shares)
    )


@dataclass(frozen=True, slots=True)
class LabelDraw:
    """The labels of one run of the attack: at most `most` per class, reassigned if `shuffle` is not 0."""

    most: int
    shuffle: int = 0


def infer_each(
    knowledge: Knowledge, labelled: LabelledRows, settings: Settings, progress: Progress, draws: Sequence[LabelDraw]
) -> list[AttributeGuesses]:
    """The attack with each draw of labels, side by side; published ones follow each other, as they train networks."""

    def infer(draw: LabelDraw) -> AttributeGuesses:
        return infer_attribute(knowledge, labelled, settings, silent, most=draw.most, shuffle=draw.shuffle)

    if not draws:
        return []
    advance = progress("repeating the attack with other labels", len(draws))
    if settings.recipe_kind == "default":
        return run_parallel(infer, draws, advance)
    found = []
    for draw in draws:
        found.append(infer(draw))
        advance(1)
    return found


def reweigh(guesses: LabelGuesses, labels: Sequence[str], shares: dict[str, float]) -> LabelGuesses:
    """Probabilities for texts of which each class has the given share, by Bayes' rule."""
    drawn = Counter(labels)
    chances = guesses.probabilities * [shares[label] / drawn[label] for label in guesses.labels]
    return replace(guesses, probabilities=chances / chances.sum(axis=1, keepdims=True))


def reassign_labels(labels: Sequence[str], documents: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Give every document the label of another; in a document with several labels, permute these."""
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
