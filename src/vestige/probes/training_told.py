"""What is told of documents whose membership in the training data is asked."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from vestige.attacks.membership.neighbours import neighbours
from vestige.attacks.membership.pairs import PairMembership, Similarity, mean_by_document
from vestige.case.case import Training
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.metrics.membership.advantage import advantage
from vestige.metrics.membership.figures import Membership, membership
from vestige.metrics.membership.gain import gain
from vestige.metrics.membership.side import Side, sides
from vestige.types import Flags, Floats, Integers, Progress, Score, Vectors

A_DIRECTION = 5
"""So many known sentences it takes to learn what one direction says; with fewer, noise is learned."""


@dataclass(frozen=True)
class Rows:
    """Scores, each with the document that it is of and whether that was learned."""

    scores: Floats
    documents: list[str]
    members: Flags

    def take(self, chosen: Flags) -> "Rows":
        """The rows that are chosen."""
        documents = [name for name, keep in zip(self.documents, chosen, strict=True) if keep]
        return Rows(self.scores[chosen], documents, self.members[chosen])

    def figures(self, seed: int) -> Membership:
        """How well members are told from others; each half of the documents has the threshold of the other."""
        ours, theirs = self.take(self.members), self.take(~self.members)
        return membership(
            ours.scores,
            theirs.scores,
            member_groups=ours.documents,
            other_groups=theirs.documents,
            rng=stream(seed, "halves"),
        )

    def signed(self, seed: int) -> Score:
        """The advantage of who calls the upper half of the scores members: below 0 where others score higher.

        The best threshold, in contrast, calls nobody where scores are the wrong way round, and is never below 0.
        """
        return advantage(*self.sides(), stream(seed, "halves"), threshold=float(np.median(self.scores)))

    def sides(self) -> tuple[Side, Side]:
        """Members and others, checked."""
        ours, theirs = self.take(self.members), self.take(~self.members)
        return sides(ours.scores, theirs.scores, member_groups=ours.documents, other_groups=theirs.documents)


@dataclass(frozen=True)
class Told:
    """A score of each pair of consecutive sentences, and one of each document; `lengths` in sentences."""

    pairs: Rows
    documents: Rows
    lengths: Integers

    @classmethod
    def of(cls, pairs: Floats, documents: Floats, training: Training) -> "Told":
        """Scores of what is asked, in its order, beside the truth."""
        asked = [name for name, known in zip(training.sentences.documents, training.known, strict=True) if not known]
        flags, rows, lengths = training.members[~training.known], neighbours(asked), Counter(asked)
        learned = dict(zip(asked, flags.tolist(), strict=True))
        return cls(
            Rows(pairs, [asked[row] for row in rows], flags[rows]),
            Rows(documents, list(lengths), np.array([learned[name] for name in lengths])),
            np.array(list(lengths.values())),
        )


def told(vectors: Vectors, training: Training, similarity: Similarity, settings: Settings, progress: Progress) -> Told:
    """Learn from the documents that the stranger knows of, and score the others."""
    known, names = training.known, np.array(training.sentences.documents)
    attack = PairMembership(similarity=similarity, recipe="song" if settings.recipe == "paper" else "default").fit(
        vectors[known],
        names[known].tolist(),
        training.members[known].tolist() if similarity == "learned" else None,
        rng=stream(settings.seed, "attack"),
        progress=progress,
    )
    asked = names[~known].tolist()
    scores = attack.infer(vectors[~known], asked).scores
    return Told.of(scores, mean_by_document(scores, asked), training)


def narrowed(vectors: Vectors, training: Training, settings: Settings) -> Vectors:
    """Along the main directions of all the sentences, as many as the known ones bear; as published, all of them."""
    from sklearn.decomposition import TruncatedSVD

    most = int(training.known.sum()) // A_DIRECTION
    if settings.recipe == "paper" or vectors.shape[1] <= most:
        return vectors
    return np.asarray(TruncatedSVD(most, random_state=settings.seed).fit_transform(vectors), np.float32)


def more_than(attack: Told, prior: Told, seed: int) -> Score:
    """The advantage on documents beyond that of the prior, paired."""
    return gain(attack.documents.sides(), prior.documents.sides(), stream(seed, "halves"))
