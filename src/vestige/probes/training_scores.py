"""Scores of documents whose membership in the training data is in question."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.membership.neighbours import find_neighbours
from vestige.attacks.membership.pairs import PairMembership, Similarity, mean_by_document
from vestige.attacks.membership.words import WordMembership
from vestige.case.case import Training
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.fitted import LearnedEncoder
from vestige.encoders.words.word_mean import WordMean
from vestige.encoders.wrapper import Wrapper
from vestige.metrics.membership.advantage import advantage, advantage_gain
from vestige.metrics.membership.grouped_scores import GroupedScores, group_scores
from vestige.metrics.membership.summary import Membership, membership
from vestige.text.corpus import Corpus
from vestige.text.windows import Windows
from vestige.text.words import words
from vestige.types import Encoder, Flags, Floats, Integers, Progress, Score, Vectors

WIDTH = 5
A_DIRECTION = 5
"""Known sentences per direction that is learned; with fewer, noise is learned."""


@dataclass(frozen=True)
class ScoredRows:
    """Scores, each with its document and whether that was in the training data."""

    scores: Floats
    documents: list[str]
    members: Flags

    def take(self, chosen: Flags) -> "ScoredRows":
        """The selected rows."""
        documents = [name for name, keep in zip(self.documents, chosen, strict=True) if keep]
        return ScoredRows(self.scores[chosen], documents, self.members[chosen])

    def summarize(self, seed: int) -> Membership:
        """How well members are separated from others; each half of the documents uses the threshold of the other."""
        ours, theirs = self.take(self.members), self.take(~self.members)
        return membership(
            ours.scores,
            theirs.scores,
            member_groups=ours.documents,
            other_groups=theirs.documents,
            rng=stream(seed, "halves"),
        )

    def signed(self, seed: int) -> Score:
        """The advantage with the median as threshold, which is negative if non-members score higher.

        With the best threshold the advantage is never negative.
        """
        return advantage(*self.group(), stream(seed, "halves"), threshold=float(np.median(self.scores)))

    def group(self) -> tuple[GroupedScores, GroupedScores]:
        """Members and others, grouped by document."""
        ours, theirs = self.take(self.members), self.take(~self.members)
        return group_scores(ours.scores, theirs.scores, member_groups=ours.documents, other_groups=theirs.documents)


@dataclass(frozen=True)
class TrainingScores:
    """A score for each pair of consecutive sentences and for each document; `lengths` are in sentences."""

    pairs: ScoredRows
    documents: ScoredRows
    lengths: Integers

    @classmethod
    def align(cls, pairs: Floats, documents: Floats, training: Training) -> "TrainingScores":
        """Scores of the documents in question, with their true membership."""
        unknown = [name for name, known in zip(training.sentences.documents, training.known, strict=True) if not known]
        flags, rows, lengths = training.members[~training.known], find_neighbours(unknown), Counter(unknown)
        learned = dict(zip(unknown, flags.tolist(), strict=True))
        return cls(
            ScoredRows(pairs, [unknown[row] for row in rows], flags[rows]),
            ScoredRows(documents, list(lengths), np.array([learned[name] for name in lengths])),
            np.array(list(lengths.values())),
        )


def score_similarity(
    vectors: Vectors, training: Training, similarity: Similarity, settings: Settings, progress: Progress
) -> TrainingScores:
    """Fit on the documents whose membership the adversary knows, and score the others."""
    known, names = training.known, np.array(training.sentences.documents)
    attack = PairMembership(similarity=similarity, recipe="song" if settings.recipe_kind == "paper" else "default").fit(
        vectors[known],
        names[known].tolist(),
        training.members[known].tolist() if similarity == "learned" else None,
        rng=stream(settings.seed, "attack"),
        progress=progress,
    )
    unknown = names[~known].tolist()
    scores = attack.infer(vectors[~known], unknown).scores
    return TrainingScores.align(scores, mean_by_document(scores, unknown), training)


def reduce_dimension(vectors: Vectors, training: Training, settings: Settings) -> Vectors:
    """Keep as many main directions as the known sentences can support; all of them with the published recipe."""
    from sklearn.decomposition import TruncatedSVD

    most = int(training.known.sum()) // A_DIRECTION
    if settings.recipe_kind == "paper" or vectors.shape[1] <= most:
        return vectors
    return np.asarray(TruncatedSVD(most, random_state=settings.seed).fit_transform(vectors), np.float32)


def score_gain(attack: ScoredRows, prior: ScoredRows, seed: int) -> Score:
    """The gain in advantage over the prior on the same documents or pairs, paired."""
    return advantage_gain(attack.group(), prior.group(), stream(seed, "halves"))


def shuffle_membership(training: Training, rng: np.random.Generator) -> Training:
    """Label a random half of the known documents of each side as members, so that the labels carry no information.

    The true membership of the documents in question stays as it is.
    """
    names = np.array(training.sentences.documents)
    members = training.members.copy()
    for side in (True, False):
        some = list(dict.fromkeys(names[training.known & (training.members == side)].tolist()))
        for turn, place in enumerate(rng.permutation(len(some))):
            members[names == some[place]] = turn % 2 == 0
    return replace(training, members=members)


def averages_words(encoder: Encoder) -> bool:
    """Whether the encoder averages word vectors, so that a query with one word returns its learned vector."""
    if isinstance(encoder, Wrapper):
        return averages_words(encoder.encoder)
    return isinstance(encoder.fit() if isinstance(encoder, LearnedEncoder) else encoder, WordMean)


@dataclass(frozen=True)
class WordProximity:
    """How close the words of a window are: the sum over the windows of each sentence, and their number."""

    sums: Floats
    windows: Floats

    def score(self, training: Training) -> TrainingScores:
        """Score the documents in question; the known ones decide whether close or distant words mean membership."""
        known, unknown = training.known, ~training.known
        sign = 1 if self.separate(training) >= 0.5 else -1
        names = _select_names(training, unknown)
        rows, owners = find_neighbours(names), _number_names(names)
        sums, windows = sign * self.sums[unknown], self.windows[unknown]
        typical = sign * self.sums[known].sum() / max(self.windows[known].sum(), 1)
        return TrainingScores.align(
            _mean_or(sums[rows] + sums[rows + 1], windows[rows] + windows[rows + 1], typical),
            _mean_or(_sum_by_owner(owners, sums), _sum_by_owner(owners, windows), typical),
            training,
        )

    def separate(self, training: Training) -> float:
        """The AUC on the documents whose membership the adversary knows."""
        from sklearn.metrics import roc_auc_score

        known = training.known
        names = _select_names(training, known)
        owners = _number_names(names)
        scores = _mean_or(_sum_by_owner(owners, self.sums[known]), _sum_by_owner(owners, self.windows[known]), 0.0)
        flags = dict(zip(names, training.members[known].tolist(), strict=True))
        return float(roc_auc_score(list(flags.values()), scores))


def measure_word_proximity(
    encoder: Encoder, sentences: Corpus, settings: Settings, progress: Progress
) -> WordProximity | None:
    """Query every word, the most frequent first; None if no window has two words with a vector."""
    counted = Counter(word for text in sentences.texts for word in words(text))
    lexicon = [word for word, _ in counted.most_common()]
    windows, vectors = Windows.build(sentences, lexicon, WIDTH), encoder.encode(lexicon, progress=progress)
    embedded: Flags = np.asarray(vectors.any(axis=1))
    if not (embedded[windows.centres] & (embedded[windows.ids].sum(axis=1) > 1)).any():
        return None
    known = [word for word, has_vector in zip(lexicon, embedded, strict=True) if has_vector]
    attack = WordMembership(recipe="song" if settings.recipe_kind == "paper" else "default").fit(
        (known, vectors[embedded])
    )
    scores = attack.infer(windows.words).scores
    return WordProximity(
        _sum_by_owner(windows.texts, scores, rows=len(sentences)),
        _sum_by_owner(windows.texts, np.ones(len(windows)), rows=len(sentences)),
    )


def _select_names(training: Training, chosen: Flags) -> list[str]:
    return [name for name, keep in zip(training.sentences.documents, chosen, strict=True) if keep]


def _number_names(names: Sequence[str]) -> Integers:
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([place[name] for name in names], dtype=np.int64)


def _sum_by_owner(owners: Integers, values: Floats, rows: int = 0) -> Floats:
    return np.bincount(owners, weights=values, minlength=rows).astype(np.float64)


def _mean_or(sums: Floats, counts: Floats, default: float) -> Floats:
    """The mean; `default` if there is no window."""
    return np.where(counts > 0, sums / np.maximum(counts, 1), default)
