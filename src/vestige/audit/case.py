"""A case holds everything; an adversary is handed a part of it that has no place for the truth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vestige.audit.result import Subject
from vestige.types import Encoder, Vectors

Domain = Literal["same-domain", "cross-domain"]


@dataclass(frozen=True)
class Auxiliary:
    """Pairs an adversary has: texts it knows and their vectors; `queries` were asked of the encoder to get them."""

    vectors: Vectors
    texts: list[str]
    documents: list[str]
    source: str
    queries: int

    def take(self, rows: Sequence[int]) -> "Auxiliary":
        """Some of the pairs, in the order given."""
        texts, documents = [self.texts[row] for row in rows], [self.documents[row] for row in rows]
        return replace(self, vectors=self.vectors[list(rows)], texts=texts, documents=documents)


@dataclass(frozen=True)
class Knowledge:
    """All that an attack ever receives: the vectors that leaked, the adversary's own pairs, an encoder it may ask."""

    targets: Vectors
    auxiliary: Auxiliary
    encoder: Encoder | None


@dataclass(frozen=True)
class Truth:
    """The texts behind the targets, and the document each belongs to. Metrics see it, attacks do not."""

    texts: list[str]
    documents: list[str]


@dataclass(frozen=True)
class Missing:
    """Why an adversary could not be played, and what would let it be."""

    reason: str
    remedy: str


@dataclass(frozen=True, eq=False)
class Case:
    """One owner's vectors, the truth behind them, and the adversaries the inputs allow.

    `encoder` is there where an adversary may ask it more; where not, `unasked` says why.
    """

    targets: Vectors
    truth: Truth | None
    auxiliary: dict[Domain, Auxiliary]
    subject: Subject
    missing: dict[Domain, Missing]
    encoder: Encoder | None
    unasked: Missing | None

    def knowledge(self, domain: Domain) -> Knowledge:
        """What the adversary of this domain is handed."""
        return Knowledge(self.targets, self.auxiliary[domain], self.encoder)
