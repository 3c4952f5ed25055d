"""Was this pair of sentences, or this document, in the training data of the encoder?"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import check_floor
from vestige.attacks.membership.neighbours import SentencePairs, find_neighbours
from vestige.attacks.membership.similarity import (
    EPOCHS,
    LearnedSimilarity,
    Projection,
    identity_projection,
    train_projection,
    whitening_projection,
)
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.nn.device import Device, choose_device
from vestige.types import Flags, Floats, Integers, MembershipGuesses, Progress, TrainingLog, Vectors, silent

Similarity = Literal["fixed", "learned"]
Recipe = Literal["default", "song"]
FEWEST_PER_COLUMN = 2
FEWEST_DOCUMENTS = 2


class PairMembership:
    """Infers whether two consecutive sentences were trained on together, from how similar their vectors are.

    The adversary sees: the sentences in question and their vectors, by querying the encoder. With `similarity="fixed"`
    it has vectors of other documents, of which it knows nothing else; with "learned" it knows of some documents, a
    tenth of all in the paper, whether they were in the training data. Black box. Shapes: `fit` and `infer` take (n, d)
    vectors of sentences and the document of each; `infer` returns a score for every sentence that is followed by
    another of its document, in the order of `find_neighbours`. Paper: Song and Raghunathan, CCS 2020, Section 5.2,
    Equation 10.

    `recipe="song"` is the dot product, or the dot product after the learned projection W_m, which is trained for 10
    `epochs` or as many as are given, on the `device`; `log_` says how that ended. `recipe="default"` whitens the
    vectors before a dot product; learned, it combines a ratio of Gaussians, the dot product and the lengths of the
    vectors. A stronger adversary has trained an encoder of the same kind on text of its own, and gives the vectors that
    this one makes of the same sentences as `reference`.
    """

    info = AttackInfo(
        name="pair-membership",
        summary="infers whether two consecutive sentences were in the training data (Song and Raghunathan 2020)",
        output=MembershipGuesses,
        access=("labels",),
        paper="Song and Raghunathan, CCS 2020, Section 5.2, Equation 10",
        recipes=("default", "song"),
        named_recipes={"song-pair-membership": {"recipe": "song"}},
    )

    def __init__(
        self,
        *,
        similarity: Similarity = "learned",
        recipe: Recipe = "default",
        epochs: int = EPOCHS,
        device: Device = "cpu",
    ) -> None:
        self.similarity = similarity
        self.recipe = recipe
        self.epochs = epochs
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        documents: Sequence[str],
        members: Sequence[bool] | None = None,
        *,
        rng: np.random.Generator,
        reference: Vectors | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from documents of the adversary; `members` flags sentences of the training data."""
        check_choice("similarity", self.similarity, ("fixed", "learned"))
        check_choice("recipe", self.recipe, ("default", "song"))
        check_floor("epochs", self.epochs, 1)
        self._check_use_of(reference)
        self.log_: TrainingLog | None = None
        vectors, rows = _sentences(vectors, documents)
        if not len(rows):
            raise InputError("no sentence to learn from; fit needs documents of two sentences or more")
        if self.similarity == "fixed":
            self.scorer_: Projection | LearnedSimilarity = (
                whitening_projection(vectors) if self.recipe == "default" else identity_projection(vectors.shape[1])
            )
        else:
            pairs, known = SentencePairs.from_rows(vectors, rows), as_members(members, documents)[rows]
            if self.recipe == "song":
                device = choose_device(self.device)
                self.scorer_, self.log_ = train_projection(
                    pairs, known, epochs=self.epochs, device=device, rng=rng, progress=progress
                )
            else:
                _check_enough(len(vectors), vectors.shape[1])
                reference_pairs = _reference(reference, len(vectors), rows)
                names = [documents[row] for row in rows]
                self.scorer_ = LearnedSimilarity.fit(vectors, pairs, known, names, reference=reference_pairs, rng=rng)
        self.labelled_ = frozenset(documents) if self.similarity == "learned" else frozenset[str]()
        self.columns_, self.reference_columns_ = vectors.shape[1], None if reference is None else np.shape(reference)[1]
        return self

    def infer(
        self, vectors: Vectors, documents: Sequence[str], *, reference: Vectors | None = None
    ) -> MembershipGuesses:
        """One score per pair, in the order of the sentences; documents that `fit` learned from are refused."""
        if not hasattr(self, "scorer_"):
            raise NotFitted(
                f"{type(self).__name__}.infer was called before fit; call fit(vectors, documents, ...) first"
            )
        vectors, rows = _sentences(vectors, documents, self.columns_)
        self._check_unseen(documents)
        if (reference is None) != (self.reference_columns_ is None):
            raise InputError("vectors of a reference encoder go to both fit and infer, or to neither")
        reference_pairs = _reference(reference, len(vectors), rows, self.reference_columns_)
        return MembershipGuesses(self._scores(SentencePairs.from_rows(vectors, rows), reference_pairs))

    def _scores(self, pairs: SentencePairs, reference_pairs: SentencePairs | None) -> Floats:
        return (
            self.scorer_.scores(pairs, reference_pairs)
            if isinstance(self.scorer_, LearnedSimilarity)
            else self.scorer_.scores(pairs)
        )

    def _check_use_of(self, reference: Vectors | None) -> None:
        if reference is not None and (self.similarity, self.recipe) != ("learned", "default"):
            raise InputError(
                f"similarity={self.similarity!r} with recipe={self.recipe!r} does not use a reference encoder; "
                "drop it, or use similarity='learned' with recipe='default'"
            )

    def _check_unseen(self, documents: Sequence[str]) -> None:
        seen = sorted(self.labelled_.intersection(documents))
        if seen:
            raise InputError(
                f"{len(seen)} documents, such as {seen[0]!r}, were used in fit; their scores say nothing "
                "about others; drop them, or rename the documents if they are different ones"
            )


class GroupMembership(PairMembership):
    """Infers whether a whole document, or all that a person wrote, was in the training data.

    The adversary sees: what `PairMembership` sees, for all sentences of a document.
    Shapes: as there, but `infer` returns one score per document, in the order in which they first occur.
    Paper: Song and Raghunathan, CCS 2020, Section 5.2, Algorithm 5: the mean over the consecutive pairs.
    """

    info = AttackInfo(
        name="group-membership",
        summary="infers whether a whole document was in the training data (Song and Raghunathan 2020)",
        output=MembershipGuesses,
        access=("labels",),
        paper="Song and Raghunathan, CCS 2020, Section 5.2, Algorithm 5",
        recipes=("default", "song"),
        named_recipes={"song-book-membership": {"recipe": "song"}},
    )

    def infer(
        self, vectors: Vectors, documents: Sequence[str], *, reference: Vectors | None = None
    ) -> MembershipGuesses:
        """The mean score of the pairs of each document."""
        scores = super().infer(vectors, documents, reference=reference).scores
        return MembershipGuesses(mean_by_document(scores, documents))


def as_members(given: Sequence[bool] | None, documents: Sequence[str]) -> Flags:
    """Check one flag per sentence: two documents of either kind, and no document of both."""
    if given is None:
        raise InputError("a learned similarity needs labels; give `members`, or use similarity='fixed'")
    if len(given) != len(documents):
        raise InputError(f"{len(documents)} sentences but {len(given)} labels; give one per sentence")
    members = np.asarray(given)
    if members.dtype.kind != "b":
        raise InputError(f"the labels are of {members.dtype}; expected True for members and False for others")
    sides = {side: {name for name, flag in zip(documents, members, strict=True) if flag == side} for side in (1, 0)}
    both = sorted(sides[1] & sides[0])
    if both:
        raise InputError(
            f"{len(both)} documents, such as {both[0]!r}, are members in one sentence and not in another; "
            "a document was in the training data or it was not"
        )
    for side, called in ((1, "members"), (0, "others")):
        if len(sides[side]) < FEWEST_DOCUMENTS:
            raise InputError(
                f"{len(sides[side])} documents are {called}; a learned similarity needs at least {FEWEST_DOCUMENTS} "
                "of either kind; label more"
            )
    return members


def _check_enough(sentences: int, columns: int) -> None:
    """With fewer sentences than directions, directions without any variance would decide."""
    if sentences < FEWEST_PER_COLUMN * columns:
        raise InputError(
            f"{sentences} known sentences are too few to learn a similarity of {columns} columns; expected at least "
            f"{FEWEST_PER_COLUMN * columns}; label more, reduce the vectors to their main directions (PCA), or use "
            "similarity='fixed'"
        )


def mean_by_document(scores: Floats, documents: Sequence[str]) -> Floats:
    """From one score per pair to one per document; `documents` are those of the sentences."""
    place = {name: row for row, name in enumerate(dict.fromkeys(documents))}
    owners = np.array([place[documents[row]] for row in find_neighbours(documents)], dtype=np.int64)
    means: Floats = np.bincount(owners, weights=scores, minlength=len(place)) / np.bincount(owners)
    return means


def _sentences(vectors: Vectors, documents: Sequence[str], columns: int | None = None) -> tuple[Vectors, Integers]:
    """The vectors, checked, and the rows that are followed by another of their document."""
    vectors = as_vectors(vectors, columns)
    if len(vectors) != len(documents):
        raise InputError(f"{len(vectors)} vectors but {len(documents)} documents; give the document of every sentence")
    return vectors, find_neighbours(documents)


def _reference(
    given: Vectors | None, sentences: int, rows: Integers, columns: int | None = None
) -> SentencePairs | None:
    """The pairs as the reference encoder embeds them."""
    if given is None:
        return None
    vectors = as_vectors(given, columns)
    if len(vectors) != sentences:
        raise InputError(f"{sentences} vectors but {len(vectors)} of the reference; give one of either per sentence")
    return SentencePairs.from_rows(vectors, rows)
