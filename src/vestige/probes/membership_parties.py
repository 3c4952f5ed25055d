"""Who is asked for: texts that the store holds, texts that it does not, and those of which it holds a near copy."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.case.case import Auxiliary, Truth
from vestige.case.randomness import stream
from vestige.case.settings import ASKED_FOR, NOT_THERE
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.metrics.similarity import near_copies
from vestige.text.split import sample_rows, split_documents
from vestige.text.words import content_words


@dataclass(frozen=True)
class Parties:
    """Rows of the targets. Half of the documents are `kept` in the store.

    Neither `members` nor `others` have a near copy across the wall; `copied` members and `near` copies do. They are of
    a kind, set phrases of letters, and are held against each other: against texts that nobody repeats, telling set
    phrases would pass for telling members.
    """

    kept: list[int]
    members: list[int]
    others: list[int]
    copied: list[int]
    near: list[int]

    @classmethod
    def of(cls, truth: Truth, seed: int) -> "Parties":
        """Halve the documents, and draw the texts that are asked for."""
        rng = stream(seed, "membership")
        split = split_documents(truth.documents, 0.5, rng)
        sets = [content_words(text) for text in truth.texts]
        inside, outside = split.target, split.auxiliary
        copied, near = _with_copy(sets, inside, outside), _with_copy(sets, outside, inside)
        drawn = [
            sample_rows(rows, ASKED_FOR, rng)
            for rows in (sorted({*inside} - {*copied}), sorted({*outside} - {*near}), copied, near)
        ]
        return cls(inside, *drawn)

    @property
    def plain(self) -> list[int]:
        """Members and others without a near copy."""
        return [*self.members, *self.others]

    @property
    def all(self) -> list[int]:
        """Everyone who is asked for."""
        return [*self.plain, *self.copied, *self.near]

    def enough(self, rows: Sequence[int], truth: Truth) -> bool:
        """Whether these rows lie in enough documents for an interval."""
        return len({truth.documents[row] for row in rows}) >= FEWEST_DOCUMENTS


def own_texts(pairs: Auxiliary, seed: int, most: int) -> tuple[Auxiliary, Auxiliary]:
    """The stranger's own texts, and others, `most` at most, whose vectors a store of the control holds."""
    order = stream(seed, "own texts").permutation(len(pairs.texts))
    own = min(NOT_THERE, len(order) // 2)
    return pairs.take(sorted(order[:own].tolist())), pairs.take(sorted(order[own : own + most].tolist()))


def _with_copy(sets: Sequence[frozenset[str]], rows: Sequence[int], others: Sequence[int]) -> list[int]:
    found = near_copies([sets[row] for row in rows], [sets[row] for row in others])
    return [row for row, copied in zip(rows, found, strict=True) if copied]
