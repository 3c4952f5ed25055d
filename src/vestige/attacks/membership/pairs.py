"""Was this pair of sentences, or this document, in the training data of the encoder? (S10)"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.membership.evidence import Evidence
from vestige.attacks.membership.labelled import as_members
from vestige.attacks.membership.neighbours import Pairs, neighbours
from vestige.attacks.membership.projection import Projection, as_it_comes, evened, learned
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Floats, Integers, MembershipGuesses, Progress, Vectors, silent

Similarity = Literal["fixed", "learned"]
Recipe = Literal["default", "song"]

FEWEST_A_COLUMN = 2


class PairMembership:
    """Tells whether two consecutive sentences were learned side by side, from how similar their vectors are.

    The adversary sees: the sentences in question and their vectors, by asking the encoder. With `similarity="fixed"`
    it has vectors of other documents, of which it knows nothing else; with "learned" it knows of some documents, a
    tenth of all in the paper, whether they were in the training data. Black box.
    Shapes: `fit` and `infer` take (n, d) vectors of sentences and the document of each; `infer` gives a score for every
    sentence that another of its document follows, in the order of `neighbours`.
    Paper: Song and Raghunathan, CCS 2020, Section 5.2, Equation 10.

    `recipe="song"` is the dot product, or the dot product after the learned projection W_m. `recipe="default"` evens
    out the directions before a dot product; learned, it weighs a ratio of Gaussians, the dot product and the lengths
    of the vectors. A stronger adversary has trained an encoder of the same kind on text of its own, and gives the
    vectors that this one makes of the same sentences as `reference`.
    """

    def __init__(self, *, similarity: Similarity = "learned", recipe: Recipe = "default") -> None:
        self.similarity = similarity
        self.recipe = recipe

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
        """Learn from documents of the adversary; `members` says of each sentence whether its document was learned."""
        check_choice("similarity", self.similarity, ("fixed", "learned"))
        check_choice("recipe", self.recipe, ("default", "song"))
        self._check_use_of(reference)
        vectors, rows = _sentences(vectors, documents)
        if not len(rows):
            raise InputError("there is no sentence to learn from; fit needs documents of two sentences or more")
        if self.similarity == "fixed":
            self.scorer_: Projection | Evidence = (
                evened(vectors) if self.recipe == "default" else as_it_comes(vectors.shape[1])
            )
        else:
            pairs, known = Pairs.of(vectors, rows), as_members(members, documents)[rows]
            if self.recipe == "song":
                self.scorer_ = learned(pairs, known, rng=rng, progress=progress)
            else:
                _check_enough(len(vectors), vectors.shape[1])
                beside = _reference(reference, len(vectors), rows)
                names = [documents[row] for row in rows]
                self.scorer_ = Evidence.of(vectors, pairs, known, names, reference=beside, rng=rng)
        self.labelled_ = frozenset(documents) if self.similarity == "learned" else frozenset[str]()
        self.columns_, self.referred_ = vectors.shape[1], None if reference is None else np.shape(reference)[1]
        return self

    def infer(
        self, vectors: Vectors, documents: Sequence[str], *, reference: Vectors | None = None
    ) -> MembershipGuesses:
        """A score a pair, in the order of the sentences; documents that taught the attack are refused."""
        if not hasattr(self, "scorer_"):
            raise NotFitted(
                f"{type(self).__name__}.infer was called before fit; call fit(vectors, documents, ...) first"
            )
        vectors, rows = _sentences(vectors, documents, self.columns_)
        self._check_untaught(documents)
        if (reference is None) != (self.referred_ is None):
            raise InputError("vectors of a reference encoder go to both fit and infer, or to neither")
        pairs, beside = Pairs.of(vectors, rows), _reference(reference, len(vectors), rows, self.referred_)
        return MembershipGuesses(self._scores(pairs, beside))

    def _scores(self, pairs: Pairs, beside: Pairs | None) -> Floats:
        return self.scorer_.scores(pairs, beside) if isinstance(self.scorer_, Evidence) else self.scorer_.scores(pairs)

    def _check_use_of(self, reference: Vectors | None) -> None:
        if reference is not None and (self.similarity, self.recipe) != ("learned", "default"):
            raise InputError(
                f"similarity={self.similarity!r} with recipe={self.recipe!r} has no use for a reference encoder; "
                "leave it out, or use similarity='learned' with recipe='default'"
            )

    def _check_untaught(self, documents: Sequence[str]) -> None:
        taught = sorted(self.labelled_.intersection(documents))
        if taught:
            raise InputError(
                f"{len(taught)} documents, such as {taught[0]!r}, taught the attack; its scores of them say nothing "
                "about others; leave them out, or name the documents apart if they are different ones"
            )


class GroupMembership(PairMembership):
    """Tells whether a whole document, or all that a person wrote, was in the training data.

    The adversary sees: what `PairMembership` sees, for all sentences of a document.
    Shapes: as there, but `infer` gives a score a document, in the order in which they first occur.
    Paper: Song and Raghunathan, CCS 2020, Section 5.2, Algorithm 5: the mean over the consecutive pairs.
    """

    def infer(
        self, vectors: Vectors, documents: Sequence[str], *, reference: Vectors | None = None
    ) -> MembershipGuesses:
        """The mean score of the pairs of each document."""
        scores = super().infer(vectors, documents, reference=reference).scores
        return MembershipGuesses(mean_by_document(scores, documents))


def _check_enough(sentences: int, columns: int) -> None:
    """With fewer sentences than directions, directions without any spread would decide."""
    if sentences < FEWEST_A_COLUMN * columns:
        raise InputError(
            f"{sentences} known sentences are too few to learn a similarity of {columns} columns; expected at least "
            f"{FEWEST_A_COLUMN * columns}; label more, keep only the main directions of the vectors (PCA), or use "
            "similarity='fixed'"
        )


def mean_by_document(scores: Floats, documents: Sequence[str]) -> Floats:
    """From a score a pair to a score a document; `documents` are those of the sentences."""
    place = {name: row for row, name in enumerate(dict.fromkeys(documents))}
    owners = np.array([place[documents[row]] for row in neighbours(documents)], dtype=np.int64)
    means: Floats = np.bincount(owners, weights=scores, minlength=len(place)) / np.bincount(owners)
    return means


def _sentences(vectors: Vectors, documents: Sequence[str], columns: int | None = None) -> tuple[Vectors, Integers]:
    """The vectors, checked, and the rows that another of their document follows."""
    vectors = as_vectors(vectors, columns)
    if len(vectors) != len(documents):
        raise InputError(f"{len(vectors)} vectors but {len(documents)} documents; give the document of every sentence")
    return vectors, neighbours(documents)


def _reference(given: Vectors | None, sentences: int, rows: Integers, columns: int | None = None) -> Pairs | None:
    """The pairs as the reference encoder has them."""
    if given is None:
        return None
    vectors = as_vectors(given, columns)
    if len(vectors) != sentences:
        raise InputError(f"{sentences} vectors but {len(vectors)} of the reference; give one of either a sentence")
    return Pairs.of(vectors, rows)
