"""What is told of documents whose membership in the training data is asked."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.attributes.text_tfidf import TextTfidf
from vestige.attacks.membership.neighbours import neighbours
from vestige.attacks.membership.pairs import PairMembership, Similarity, mean_by_document
from vestige.audit.case import Training
from vestige.audit.randomness import stream
from vestige.audit.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.metrics.membership.figures import Membership, membership
from vestige.metrics.membership.gain import gain
from vestige.metrics.membership.side import Side, sides
from vestige.types import Flags, Floats, Integers, Progress, Score, Vectors

BLIND = ("hashing:512", "lsa:tfidf:200")
"""Encoders that know nothing of what was learned: one learns nothing, the other from both sides alike."""

SHUFFLES = 5
"""So many shuffles make the control: where documents are few, one may hit upon an order of sense by chance."""

LEARNED, UNLEARNED = "learned", "not learned"

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

    def sides(self) -> tuple[Side, Side]:
        """Members and others, checked."""
        ours, theirs = self.take(self.members), self.take(~self.members)
        return sides(ours.scores, theirs.scores, member_groups=ours.documents, other_groups=theirs.documents)


@dataclass(frozen=True)
class Told:
    """A score of each pair of consecutive sentences, and the mean of each document; `lengths` in sentences."""

    pairs: Rows
    documents: Rows
    lengths: Integers


def told(vectors: Vectors, training: Training, similarity: Similarity, settings: Settings, progress: Progress) -> Told:
    """Learn from the documents that the stranger knows of, and score the others."""
    known, members = training.known, training.members
    names = np.array(training.sentences.documents)
    attack = PairMembership(similarity=similarity, recipe="song" if settings.recipe == "paper" else "default").fit(
        vectors[known],
        names[known].tolist(),
        members[known].tolist() if similarity == "learned" else None,
        rng=stream(settings.seed, "attack"),
        progress=progress,
    )
    asked, flags = names[~known].tolist(), members[~known]
    scores = attack.infer(vectors[~known], asked).scores
    lengths, rows = Counter(asked), neighbours(asked)
    learned = dict(zip(asked, flags.tolist(), strict=True))
    return Told(
        Rows(scores, [asked[row] for row in rows], flags[rows]),
        Rows(mean_by_document(scores, asked), list(lengths), np.array([learned[name] for name in lengths])),
        np.array(list(lengths.values())),
    )


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


def without_the_encoder(training: Training, settings: Settings, progress: Progress) -> dict[Similarity, Told]:
    """What is told by who cannot know what was learned: whichever tells best.

    The same attack on vectors of other encoders; and, with labels, a reader of the texts.
    """
    blind: list[dict[Similarity, Told]] = []
    for spec in BLIND:
        vectors = load_encoder(spec, corpus=training.sentences).encode(training.sentences.texts, progress=progress)
        blind.append(by_similarity(narrowed(vectors, training, settings), training, settings, progress))

    def best(found: list[Told]) -> Told:
        return max(found, key=lambda each: each.documents.figures(settings.seed).advantage.value)

    return {
        "learned": best([*(each["learned"] for each in blind), read(training, settings)]),
        "fixed": best([each["fixed"] for each in blind]),
    }


def read(training: Training, settings: Settings) -> Told:
    """What a reader of the words tells, from documents whose membership it knows."""
    known, names = training.known, training.sentences.documents
    whole: dict[str, list[str]] = {}
    for name, text in zip(names, training.sentences.texts, strict=True):
        whole.setdefault(name, []).append(text)
    flags = dict(zip(names, training.members.tolist(), strict=True))
    taught = list(dict.fromkeys(name for name, one in zip(names, known.tolist(), strict=True) if one))
    reader = TextTfidf().fit(
        [" ".join(whole[name]) for name in taught],
        [LEARNED if flags[name] else UNLEARNED for name in taught],
        rng=stream(settings.seed, "attack"),
    )
    asked = [name for name, one in zip(names, known.tolist(), strict=True) if not one]
    texts = [text for text, one in zip(training.sentences.texts, known.tolist(), strict=True) if not one]
    rows, lengths = neighbours(asked), Counter(asked)

    def scores(of: list[str]) -> Floats:
        return np.asarray(reader.infer(of).probabilities[:, reader.labels_.index(LEARNED)])

    pairs = scores([f"{texts[row]} {texts[row + 1]}" for row in rows])
    return Told(
        Rows(pairs, [asked[row] for row in rows], np.array([flags[asked[row]] for row in rows])),
        Rows(scores([" ".join(whole[name]) for name in lengths]), list(lengths), np.array([flags[n] for n in lengths])),
        np.array(list(lengths.values())),
    )


def by_similarity(
    vectors: Vectors, training: Training, settings: Settings, progress: Progress
) -> dict[Similarity, Told]:
    """With labels, and without."""
    return {
        "learned": told(vectors, training, "learned", settings, progress),
        "fixed": told(vectors, training, "fixed", settings, progress),
    }


def by_chance(vectors: Vectors, training: Training, settings: Settings, progress: Progress) -> list[Told]:
    """The same attack where membership was dealt out anew, several times."""
    dealt = (dealt_anew(training, stream(settings.seed, f"shuffle {turn}")) for turn in range(1, SHUFFLES + 1))
    return [told(vectors, each, "learned", settings, progress) for each in dealt]


def dealt_anew(training: Training, rng: np.random.Generator) -> Training:
    """Every document is given the membership of another, those that the stranger knows of among themselves."""
    flags = dict(zip(training.sentences.documents, training.members.tolist(), strict=True))
    known = dict(zip(training.sentences.documents, training.known.tolist(), strict=True))
    dealt: dict[str, bool] = {}
    for group in (True, False):
        names = [name for name in flags if known[name] == group]
        dealt |= {name: flags[names[place]] for name, place in zip(names, rng.permutation(len(names)), strict=True)}
    return replace(training, members=np.array([dealt[name] for name in training.sentences.documents]))
