"""The record of an audit: all that a report may read."""

from dataclasses import dataclass
from typing import Literal

from vestige.metrics.membership.curve import Point
from vestige.types import Score

State = Literal["hit", "missed", "other"]
Level = Literal["none", "slight", "substantial", "severe", "unknown"]

QUERIES = "queries_"
"""How the name of a measure begins that was found after so many queries."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of the attack beside the prior (no vectors) and the control (shuffled pairs)."""

    name: str
    label: str
    attack: Score
    prior: Score
    control: Score


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart; the score's baseline is drawn as a mark."""

    label: str
    score: Score


@dataclass(frozen=True, slots=True)
class Chart:
    """A few bars, and a sentence on how to read them."""

    title: str
    reading: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Roc:
    """A curve of true against false positives, from nobody called a member to everybody."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """One word of an example: read (`hit`), there but not read (`missed`), or of no account (`other`).

    `text` is None where the word is masked.
    """

    state: State
    text: str | None


@dataclass(frozen=True, slots=True)
class Example:
    """One target text as the attack saw it; `wrong` counts the words it claimed that are not there.

    `written` is the text that the attack wrote, where it writes texts and the owner asked to see them.
    """

    label: str
    score: float
    tokens: tuple[Token, ...]
    wrong: int
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Adversary:
    """What the adversary had, in words, and what it spent."""

    given: tuple[str, ...]
    pairs: int
    queries: int


@dataclass(frozen=True, slots=True)
class Strip:
    """A measure to be drawn as so many in ten, with the words that say of what."""

    measure: str
    caption: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question. `leakage` is the gain of the measure named `headline` over the prior.

    `summary` is the answer in one sentence for a reader who is not an engineer. `roc` is there where members are told
    from others.
    """

    probe: str
    question: str
    attack: str
    headline: str
    level: Level
    summary: str
    strip: Strip | None
    leakage: Score
    measures: tuple[Measure, ...]
    charts: tuple[Chart, ...]
    examples: tuple[Example, ...]
    adversary: Adversary
    warnings: tuple[str, ...]
    roc: tuple[Roc, ...] = ()

    def measure(self, name: str) -> Measure:
        """A measure by its name."""
        return next(measure for measure in self.measures if measure.name == name)


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """A question that could not be asked of this case, why, and what would let it be asked."""

    probe: str
    question: str
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Stored:
    """How the vectors lie where they were found: so many rows, of which so many were drawn for the audit.

    `form` is that of the numbers as stored, which is what was audited. `guessed` says which columns were found by
    themselves. `exact` is False where the store only estimates its rows, `bytes_read` None where it does not tell.
    `clustered` says that neighbours were drawn together, `texts` that the texts were read out of the store.
    """

    rows: int
    exact: bool
    drawn: int
    form: str
    guessed: tuple[str, ...]
    bytes_read: int | None
    clustered: bool
    texts: bool


@dataclass(frozen=True, slots=True)
class Subject:
    """What was audited. Files go by their names, never by their paths; None is what was not given.

    `vectors` is None where they were encoded for the audit. `named` says whether every input had a name that a command
    line could be given. `left_out` counts texts without a content word.
    `digest` begins the SHA-256 of the target vectors, so that two reports can be told apart.
    """

    vectors: str | None
    corpus: str | None
    encoder: str | None
    auxiliary: str | None
    trained_on: str | None
    named: bool
    text_column: str | None
    document_column: str | None
    dimension: int
    left_out: int
    texts: int
    documents: int
    target_texts: int
    target_documents: int
    digest: str
    stored: Stored | None = None
