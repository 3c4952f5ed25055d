"""Every way to tell what was learned that an encoder allows, and which of them the stranger takes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vestige.case.case import Training
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.probes.training_control import mislabelled
from vestige.probes.training_told import Told, narrowed, told
from vestige.probes.training_words import NearWords, near_words
from vestige.types import Encoder, Progress, Vectors

Way = Literal["learned", "fixed", "words"]

FOLDS = 5
SHUFFLES = 10
"""So many shuffles make the control: where documents are few, one may hit upon an order of sense by chance."""


@dataclass(frozen=True)
class Ways:
    """What an encoder makes of the sentences, and of the words where it is a mean of these."""

    vectors: Vectors
    near: NearWords | None

    @classmethod
    def of(
        cls, encoder: Encoder, training: Training, settings: Settings, progress: Progress, *, by_words: bool
    ) -> "Ways":
        """Ask the encoder."""
        vectors = narrowed(encoder.encode(training.sentences.texts, progress=progress), training, settings)
        return cls(vectors, near_words(encoder, training.sentences, settings, progress) if by_words else None)

    def told(self, training: Training, settings: Settings, progress: Progress) -> dict[Way, Told]:
        """By each way: similarity of sentences with labels and without, and nearness of words."""
        ways: dict[Way, Told] = {
            "learned": told(self.vectors, training, "learned", settings, progress),
            "fixed": told(self.vectors, training, "fixed", settings, progress),
        }
        return ways if self.near is None else ways | {"words": self.near.told(training)}

    def taken(self, training: Training, settings: Settings, progress: Progress) -> Way:
        """The way that tells apart best the documents that the stranger knows of."""
        if self.near is None:
            return "learned"
        apart = self.near.told_apart(training)
        return "words" if max(apart, 1 - apart) >= self._learned_apart(training, settings, progress) else "learned"

    def control(self, training: Training, settings: Settings, progress: Progress) -> list[Told]:
        """The way and what it learns chosen by labels that say nothing, several times."""
        found = []
        for turn in range(1, SHUFFLES + 1):
            shuffled = mislabelled(training, stream(settings.seed, f"shuffle {turn}"))
            if self.near is not None and self.taken(shuffled, settings, progress) == "words":
                found.append(self.near.told(shuffled))
            else:
                found.append(told(self.vectors, shuffled, "learned", settings, progress))
        return found

    def _learned_apart(self, training: Training, settings: Settings, progress: Progress) -> float:
        """The area under the curve on known documents, each by an attack that learned from other ones."""
        from sklearn.metrics import roc_auc_score

        vectors = self.vectors[training.known]
        found = [told(vectors, fold, "learned", settings, progress).documents for fold in folds(training)]
        return float(
            roc_auc_score(
                np.concatenate([rows.members for rows in found]), np.concatenate([rows.scores for rows in found])
            )
        )


def folds(training: Training) -> Iterator[Training]:
    """The documents that the stranger knows of alone; of a fifth of either side it asks, as if it did not know."""
    rows = np.flatnonzero(training.known)
    sentences, members = training.sentences.take(rows.tolist()), training.members[rows]
    sides = [
        dict.fromkeys(name for name, flag in zip(sentences.documents, members, strict=True) if flag == side)
        for side in (True, False)
    ]
    fold = {name: turn % FOLDS for side in sides for turn, name in enumerate(side)}
    numbers = np.array([fold[name] for name in sentences.documents])
    for number in range(FOLDS):
        yield replace(training, sentences=sentences, members=members, known=numbers != number)
