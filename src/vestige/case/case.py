"""A case holds everything; an adversary receives a part of it that has no field for the truth."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from vestige.case.findings import Subject
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Flags, Vectors

Domain = Literal["same-domain", "cross-domain"]

Labelled = dict[str, list[str | None]]
"""Attributes by column, one label per text; None if a text has none."""


@dataclass(frozen=True)
class Auxiliary:
    """The pairs of an adversary: texts that it knows and their vectors, for which it spent `queries` queries.

    `attributes` are those of its own texts. `further` are texts of the same kind whose vectors it does not have.
    """

    vectors: Vectors
    texts: list[str]
    documents: list[str]
    source: str
    queries: int
    attributes: Labelled = field(default_factory=dict)
    further: tuple[str, ...] = ()

    @property
    def all_texts(self) -> list[str]:
        """Every text that the adversary holds, with or without its vector."""
        return [*self.texts, *self.further]

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

    def keep_vectors_of(self, rows: Sequence[int]) -> "Auxiliary":
        """The pairs of these rows; of the others, the texts remain, without their vectors."""
        kept = set(rows)
        rest = (text for row, text in enumerate(self.texts) if row not in kept)
        return replace(self.take(rows), further=(*rest, *self.further))


@dataclass(frozen=True)
class Knowledge:
    """All that an attack receives: the leaked vectors, the adversary's own pairs, and an encoder that it may query."""

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
    """Why something could not be done, and what would help."""

    reason: str
    remedy: str


@dataclass(frozen=True)
class Training:
    """Sentences of documents that the encoder was trained on, according to its owner, and of others.

    `members` and `known` say for each sentence whether its document was trained on, and whether the adversary knows
    that. The sentences of a document are consecutive. `source` names the training data.
    """

    sentences: Corpus
    members: Flags
    known: Flags
    source: str


@dataclass(frozen=True)
class VectorsOnly:
    """Rows whose texts are not available, for the probes that require none.

    In place of a text is a name made of its vector, so that equal vectors count as one text.
    """

    truth: Truth
    pairs: Auxiliary


NOT_NAMED = Missing(
    "the training data of the encoder was not named", "name the texts it was trained on with --trained-on"
)


@dataclass(frozen=True, eq=False)
class Case:
    """One owner's vectors, the truth behind them, and the adversaries the inputs allow.

    `encoder` is the one that an adversary may query; if it is None, `no_queries` says why. `ranges` are the attributes
    whose classes are ranges of numbers; `unlabelled` says why other columns are not attributes. `training` is what is
    known about the training data of the encoder. Without the texts `truth` is None, and `vectors_only` is what remains
    of the case, or why that is too little.
    """

    targets: Vectors
    truth: Truth | None
    auxiliary: dict[Domain, Auxiliary]
    subject: Subject
    missing: dict[Domain, Missing]
    encoder: Encoder | None
    no_queries: Missing | None
    ranges: tuple[str, ...] = ()
    unlabelled: dict[str, str] = field(default_factory=dict)
    training: Training | Missing = NOT_NAMED
    vectors_only: VectorsOnly | Missing | None = None

    @property
    def documents(self) -> list[str]:
        """The document of each target; one of its own if it is unknown."""
        known = self.truth or (self.vectors_only.truth if isinstance(self.vectors_only, VectorsOnly) else None)
        return known.documents if known else [str(row) for row in range(len(self.targets))]

    @property
    def closest_domain(self) -> Domain:
        """The domain of the adversary's pairs: the same as that of the targets where it has such pairs."""
        return "same-domain" if "same-domain" in self.auxiliary else "cross-domain"

    def knowledge(self, domain: Domain) -> Knowledge:
        """What the adversary of this domain holds."""
        return Knowledge(self.targets, self.auxiliary[domain], self.encoder)

    def labelled(self) -> tuple[Knowledge, Truth] | Missing:
        """What an adversary who learns labels holds, and the truth; no texts are required."""
        if isinstance(self.vectors_only, VectorsOnly):
            return Knowledge(self.targets, self.vectors_only.pairs, None), self.vectors_only.truth
        if self.truth is None or "same-domain" not in self.auxiliary:
            return self.vectors_only or self.missing["same-domain"]
        return self.knowledge("same-domain"), self.truth
