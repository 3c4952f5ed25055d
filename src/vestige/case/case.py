"""A case holds everything; an adversary is handed a part of it that has no place for the truth."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from vestige.case.findings import Subject
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Flags, Vectors

Domain = Literal["same-domain", "cross-domain"]

Labelled = dict[str, list[str | None]]
"""Attributes by column, a label a text; None where a text has none."""


@dataclass(frozen=True)
class Auxiliary:
    """Pairs an adversary has: texts it knows and their vectors; `queries` were asked of the encoder to get them.

    `attributes` are those of its own texts.
    """

    vectors: Vectors
    texts: list[str]
    documents: list[str]
    source: str
    queries: int
    attributes: Labelled = field(default_factory=dict)

    def take(self, rows: Sequence[int]) -> "Auxiliary":
        """Some of the pairs, in the order given, with their share of the queries."""
        texts, documents = [self.texts[row] for row in rows], [self.documents[row] for row in rows]
        attributes = {name: [labels[row] for row in rows] for name, labels in self.attributes.items()}
        return replace(
            self,
            vectors=self.vectors[list(rows)],
            texts=texts,
            documents=documents,
            queries=self.queries * len(rows) // max(len(self.texts), 1),
            attributes=attributes,
        )


@dataclass(frozen=True)
class Knowledge:
    """All that an attack ever receives: the vectors that leaked, the adversary's own pairs, an encoder it may ask."""

    targets: Vectors
    auxiliary: Auxiliary
    encoder: Encoder | None


@dataclass(frozen=True)
class Truth:
    """The texts behind the targets, with the document and the attributes of each. Metrics see it, attacks do not."""

    texts: list[str]
    documents: list[str]
    attributes: Labelled = field(default_factory=dict)


@dataclass(frozen=True)
class Missing:
    """Why an adversary could not be played, and what would let it be."""

    reason: str
    remedy: str


@dataclass(frozen=True)
class Training:
    """Sentences of documents that the encoder learned from, by its owner's word, and of others; a document in a row.

    `members` and `known` say of each sentence whether its document was learned, and whether the stranger knows.
    `source` names what was learned.
    """

    sentences: Corpus
    members: Flags
    known: Flags
    source: str


@dataclass(frozen=True)
class Unread:
    """Rows whose texts are not there, for the questions that need none.

    What stands where a text would is a name made of its vector, so that equal vectors are one text.
    """

    truth: Truth
    pairs: Auxiliary


NOT_NAMED = Missing(
    "what the encoder was trained on was not said", "name the texts it was trained on with --trained-on"
)


@dataclass(frozen=True, eq=False)
class Case:
    """One owner's vectors, the truth behind them, and the adversaries the inputs allow.

    `encoder` is there where an adversary may ask it more; where not, `unasked` says why. `ranges` are the attributes
    whose classes are ranges of numbers; `unlabelled` says why other columns are no attributes. `training` is what is
    known of the texts that the encoder learned from. Without the texts `truth` is None, and `unread` is what is left of
    the case, or why that is too little.
    """

    targets: Vectors
    truth: Truth | None
    auxiliary: dict[Domain, Auxiliary]
    subject: Subject
    missing: dict[Domain, Missing]
    encoder: Encoder | None
    unasked: Missing | None
    ranges: tuple[str, ...] = ()
    unlabelled: dict[str, str] = field(default_factory=dict)
    training: Training | Missing = NOT_NAMED
    unread: Unread | Missing | None = None

    @property
    def documents(self) -> list[str]:
        """The document of each target; one of its own where nobody knows."""
        known = self.truth or (self.unread.truth if isinstance(self.unread, Unread) else None)
        return known.documents if known else [str(row) for row in range(len(self.targets))]

    def knowledge(self, domain: Domain) -> Knowledge:
        """What the adversary of this domain is handed."""
        return Knowledge(self.targets, self.auxiliary[domain], self.encoder)

    def labelled(self) -> tuple[Knowledge, Truth] | Missing:
        """What one who learns labels is handed, and the truth: no text is needed for it."""
        if isinstance(self.unread, Unread):
            return Knowledge(self.targets, self.unread.pairs, None), self.unread.truth
        if self.truth is None or "same-domain" not in self.auxiliary:
            return self.unread or self.missing["same-domain"]
        return self.knowledge("same-domain"), self.truth
