"""What the probe `membership` queries a store for, and what the answers show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.membership.index import IndexMembership
from vestige.case.case import Auxiliary, Case, Missing, Truth, VectorsOnly
from vestige.case.findings import TargetScores
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import MOST_QUERIED, OWN_TEXTS
from vestige.encoders.lookup import LookupEncoder
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.metrics.membership.advantage import EpsilonBound, epsilon_bound
from vestige.metrics.membership.grouped_scores import group_scores
from vestige.metrics.membership.summary import Membership, membership
from vestige.metrics.near_copies import find_near_copies
from vestige.text.perturbed import PERTURBATIONS, Perturbation
from vestige.text.split import sample_rows, split_documents
from vestige.text.words import content_words
from vestige.types import Encoder, Floats, Progress, Score, Vectors

EXACT = "word for word"
BY_WORDS = "share more than 0.7 of their words with a text"
BY_VECTOR = "have exactly the vector of a text"


@dataclass(frozen=True)
class MembershipMaterial:
    """The texts to query, those of the adversary, and the encoder that embeds both.

    `variants` are the forms in which the adversary may have a text; `near` describes a near copy. If the encoder is not
    available, a text is queried by its stored vector, and `looks_up_vectors` is True.
    """

    truth: Truth
    pairs: Auxiliary
    encoder: Encoder
    variants: Mapping[str, Perturbation]
    near: str = BY_WORDS
    looks_up_vectors: bool = False

    @classmethod
    def collect(cls, case: Case) -> "MembershipMaterial | Missing":
        """With the encoder, with texts alone, or with vectors alone."""
        if isinstance(case.vectors_only, VectorsOnly):
            return cls._from_stored(case.targets, case.vectors_only.truth, case.vectors_only.pairs, BY_VECTOR)
        if case.truth is None:
            return case.vectors_only or case.missing["same-domain"]
        if case.encoder is not None:
            pairs = case.auxiliary.get("same-domain") or case.auxiliary["cross-domain"]
            return cls(case.truth, pairs, case.encoder, PERTURBATIONS)
        if case.subject.encoder is not None or "same-domain" not in case.auxiliary:
            return case.no_queries or case.missing["same-domain"]
        return cls._from_stored(case.targets, case.truth, case.auxiliary["same-domain"], BY_WORDS)

    @classmethod
    def _from_stored(cls, targets: Vectors, truth: Truth, pairs: Auxiliary, near: str) -> "MembershipMaterial":
        """Without the encoder, only the stored vectors of known texts can be looked up."""
        known = LookupEncoder([*truth.texts, *pairs.texts], np.concatenate([targets, pairs.vectors]))
        return cls(truth, pairs, known, {EXACT: PERTURBATIONS[EXACT]}, near, looks_up_vectors=True)


@dataclass(frozen=True)
class MembershipSplit:
    """Rows of the targets. Half of the documents are in the store (`stored`).

    Neither `members` nor `others` have a near copy on the other side; `copied` members and `near` copies do. These are
    mostly set phrases, and are compared with each other: compared with texts that nobody repeats, recognizing set
    phrases would pass for recognizing members.
    """

    stored: list[int]
    members: list[int]
    others: list[int]
    copied: list[int]
    near: list[int]

    @classmethod
    def draw(cls, truth: Truth, seed: int) -> "MembershipSplit":
        """Halve the documents, and draw the texts to query."""
        rng = stream(seed, "membership")
        split = split_documents(truth.documents, 0.5, rng)
        sets = [content_words(text) for text in truth.texts]
        inside, outside = split.target, split.auxiliary
        copied, near = _with_copy(sets, inside, outside), _with_copy(sets, outside, inside)
        drawn = [
            sample_rows(rows, MOST_QUERIED, rng)
            for rows in (sorted({*inside} - {*copied}), sorted({*outside} - {*near}), copied, near)
        ]
        return cls(inside, *drawn)

    @property
    def plain(self) -> list[int]:
        """Members and others without a near copy."""
        return [*self.members, *self.others]

    @property
    def all(self) -> list[int]:
        """All texts that are queried."""
        return [*self.plain, *self.copied, *self.near]

    def select(self, variant: str) -> list[int]:
        """The rows that are queried in a variant: near copies only word for word."""
        return self.all if variant == EXACT else self.plain

    def enough(self, rows: Sequence[int], truth: Truth) -> bool:
        """Whether these rows are from enough documents for an interval."""
        return len({truth.documents[row] for row in rows}) >= FEWEST_DOCUMENTS


def draw_own_texts(pairs: Auxiliary, seed: int, most: int) -> tuple[Auxiliary, Auxiliary]:
    """The adversary's own texts, and at most `most` others, whose vectors the store of the control holds."""
    own, others = order_own_rows(len(pairs.texts), seed)
    return pairs.take(sorted(own)), pairs.take(sorted(others[:most]))


def order_own_rows(texts: int, seed: int) -> tuple[list[int], list[int]]:
    """The rows of the adversary's own texts, and the other rows in random order."""
    order: list[int] = stream(seed, "own texts").permutation(texts).tolist()
    own = min(OWN_TEXTS, len(order) // 2)
    return order[:own], order[own:]


def _with_copy(sets: Sequence[frozenset[str]], rows: Sequence[int], others: Sequence[int]) -> list[int]:
    flags = find_near_copies([sets[row] for row in rows], [sets[row] for row in others])
    return [row for row, copied in zip(rows, flags, strict=True) if copied]


@dataclass(frozen=True)
class StoreAnswers:
    """The scores of target texts by row; at the `threshold` or above, the adversary claims that a text is stored."""

    truth: Truth
    scores: dict[int, float]
    threshold: float
    seed: int

    def summarize(self, split: MembershipSplit) -> Membership:
        """How well members are separated from others, at the adversary's own threshold."""
        return membership(
            self._of(split.members),
            self._of(split.others),
            member_groups=self._documents(split.members),
            other_groups=self._documents(split.others),
            rng=stream(self.seed, "halves"),
            threshold=self.threshold,
        )

    def bound_epsilon(self, split: MembershipSplit) -> EpsilonBound:
        """The bound on epsilon from one text per document, since texts of one document are not independent."""
        members, others = (self._first_of_each(rows) for rows in (split.members, split.others))
        ours, theirs = group_scores(
            self._of(members),
            self._of(others),
            member_groups=self._documents(members),
            other_groups=self._documents(others),
        )
        return epsilon_bound(ours, theirs, stream(self.seed, "halves"), threshold=self.threshold)

    def record_gains(self, split: MembershipSplit) -> TargetScores:
        """The contribution of each text to the advantage: claims of members add to it, claims of others subtract."""
        rows = split.plain
        claimed = self._of(rows) >= self.threshold
        sides = np.repeat([1 / len(split.members), -1 / len(split.others)], [len(split.members), len(split.others)])
        texts = [self.truth.texts[row] for row in rows]
        return Scorer(self._documents(rows), self.seed).record_gains(claimed * sides * len(rows), texts)

    def claimed_share(self, rows: Sequence[int], *, baseline: float | None = None) -> Score:
        """The share of these texts that the adversary claims to be stored."""
        called = (self._of(rows) >= self.threshold).astype(np.float64)
        return Scorer(self._documents(rows), self.seed).score(called, baseline=baseline)

    def _of(self, rows: Sequence[int]) -> Floats:
        return np.array([self.scores[row] for row in rows])

    def _documents(self, rows: Sequence[int]) -> list[str]:
        return [self.truth.documents[row] for row in rows]

    def _first_of_each(self, rows: Sequence[int]) -> list[int]:
        return list({self.truth.documents[row]: row for row in reversed(rows)}.values())


def query_store(
    attack: IndexMembership,
    truth: Truth,
    rows: Sequence[int],
    change: Perturbation,
    others: Sequence[str],
    seed: int,
    progress: Progress,
) -> StoreAnswers:
    """Query the store for these target texts, each in the form in which the adversary may have it."""
    scores = attack.infer(perturb(truth.texts, rows, change, others, seed), progress=progress).scores
    return StoreAnswers(truth, dict(zip(rows, scores.tolist(), strict=True)), attack.threshold_, seed)


def perturb(
    texts: Sequence[str], rows: Sequence[int], change: Perturbation, others: Sequence[str], seed: int
) -> list[str]:
    """These texts in the form in which the adversary may have them, with `others` in place of some words."""
    rng = stream(seed, "variants")
    return [change(texts[row], others, rng) for row in rows]
