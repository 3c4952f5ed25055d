"""Can a stranger tell from a defended vector who wrote the text, or another label of it?"""

from collections import Counter
from dataclasses import replace

import numpy as np

from vestige.attacks.attributes import AttributeInference
from vestige.case.case import Case, Knowledge
from vestige.case.level import above
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.defend.question import Reader, Told
from vestige.metrics.attribute_recovery import label_hits
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.probes.attributes_told import Lesson, weighed
from vestige.types import LabelGuesses, Progress, Score, Vectors


class AttributeQuestion:
    """Tells one attribute by a few labelled texts a class, every class counting the same."""

    attack = "attribute inference, Gaussian classes (after Song and Raghunathan 2020, Section 4)"

    def __init__(self, case: Case, column: str, settings: Settings) -> None:
        assert case.truth is not None
        self.name = f"attributes:{column}"
        self.measure = f"“{column}” told rightly, every class counting the same"
        self.settings = settings
        self.lesson = Lesson.of(case.auxiliary["same-domain"], column, settings.seed)
        labels = case.truth.attributes[column]
        self._targets = [row for row, label in enumerate(labels) if label in self.lesson.rows]
        self._truth = [str(labels[row]) for row in self._targets]
        self._documents = [case.truth.documents[row] for row in self._targets]

    @property
    def askable(self) -> bool:
        """Whether there are labels to learn from, and targets enough to score."""
        enough = len(set(self._documents)) >= FEWEST_DOCUMENTS and len(set(self._truth)) > 1
        return self.lesson.teaches and enough

    @property
    def tested(self) -> frozenset[str]:
        """The classes of the targets that the stranger has labels of."""
        return frozenset(self._truth)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Reader:  # noqa: ARG002
        """Learn from the first draw: to Gaussian classes, one text drawn twice would seem to be two that agree."""
        pairs = knowledge.auxiliary
        rows, labels = self.lesson.drawn(self.settings.labels)
        attack = AttributeInference().fit(
            pairs.vectors[rows],
            labels,
            rng=stream(self.settings.seed, "attack"),
            documents=[pairs.documents[row] for row in rows],
            progress=progress,
        )

        def read(vectors: Vectors) -> LabelGuesses:
            found = attack.infer(vectors)
            return weighed(found, labels, dict.fromkeys(found.labels, 1.0))

        return read

    def score(self, guesses: LabelGuesses) -> Told:
        """How often the first guess is right; guessing is right in one of so many cases as there are classes."""
        own, sizes = replace(guesses, probabilities=guesses.probabilities[self._targets]), Counter(self._truth)
        hits, chance = label_hits(own, self._truth)[:, 0], 1 / len(sizes)
        weights = np.array([1 / sizes[label] for label in self._truth])
        found = Scorer(self._documents, self.settings.seed).score(hits, weights=weights, baseline=chance)
        return Told(found, Score(chance, chance, chance, found.n, chance), above(found, chance))
