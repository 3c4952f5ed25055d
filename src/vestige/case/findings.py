"""What a probe finds: measures with intervals, charts, examples, and what the adversary held."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import Literal

import numpy as np

from vestige.metrics.membership.roc import RocPoint
from vestige.types import Floats, Score

State = Literal["hit", "missed", "other"]
Level = Literal["none", "slight", "substantial", "severe", "unknown"]

QUERIES = "queries_"
"""The prefix of a measure that was taken after so many queries."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of the attack, with the prior (no vectors) and the control (shuffled pairs)."""

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
    """True against false positive rates, from the strictest threshold to the laxest."""

    label: str
    points: tuple[RocPoint, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """One word of an example: recovered (`hit`), not recovered (`missed`), or not scored (`other`).

    `text` is None if the word is masked.
    """

    state: State
    text: str | None


@dataclass(frozen=True, slots=True)
class Example:
    """One target text and what was recovered of it; `wrong` counts claimed words that are not in the text.

    `written` is the reconstructed text, if the attack reconstructs texts and the owner asked to see them.
    """

    label: str
    score: float
    tokens: tuple[Token, ...]
    wrong: int
    written: str | None = None


EXAMPLE_PLACES = {
    "at the 95th percentile": 0.95,
    "at the 75th percentile": 0.75,
    "at the median": 0.5,
    "at the 25th percentile": 0.25,
    "at the 5th percentile": 0.05,
}


def rank_examples(scores: Floats) -> Iterator[tuple[str, int]]:
    """Places of the ranking and the row of the text at each, fixed in advance, so that nobody picks the examples."""
    ranking = np.argsort(scores, kind="stable")
    for label, share in EXAMPLE_PLACES.items():
        yield label, int(ranking[floor(share * (len(scores) - 1))])


@dataclass(frozen=True, slots=True)
class Adversary:
    """What the adversary held, in words, and how many queries it spent."""

    given: tuple[str, ...]
    pairs: int
    queries: int


@dataclass(frozen=True, slots=True)
class Strip:
    """A measure to be drawn as so many in ten, with a caption."""

    measure: str
    caption: str


@dataclass(frozen=True, slots=True)
class TargetScores:
    """The gain of each scored target over the prior, for a paired comparison with another run. It has no text.

    The leakage of the finding is the mean of `gains`, weighted by `weights` where there are any. `documents` numbers
    the document of each target. `digest` is a hash of all scored texts together: two runs with the same digest scored
    the same targets in the same order, and no single text can be tested against it.
    """

    digest: str
    documents: tuple[int, ...]
    gains: tuple[float, ...]
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """The answer to one question. `leakage` is the gain of the measure named `headline` over the prior.

    `summary` is the answer in one sentence for a reader who is not an engineer. `roc` has the curves of membership
    probes. `per_target` is None if the leakage is not a mean over targets.
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
    per_target: TargetScores | None = None

    def measure(self, name: str) -> Measure:
        """A measure by its name."""
        return next(measure for measure in self.measures if measure.name == name)

    def __repr__(self) -> str:
        level = "unknown" if self.warnings else self.level
        interval = f"{self.leakage.value:.3f} ({self.leakage.low:.3f} to {self.leakage.high:.3f})"
        return f"Finding: {self.probe}: {level}, leakage {interval}; {self.summary}"


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """A probe that could not run on this case, why, and what would let it run."""

    probe: str
    question: str
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Stored:
    """The store of the vectors: its number of rows, and how many were drawn for the audit.

    `form` is the number format as stored, which is what was audited. `guessed` names the columns that were detected
    automatically. `exact` is False if the store only estimates its rows; `bytes_read` is None if it is unknown.
    `clustered` means that neighbouring rows were drawn together, `texts` that the texts came from the store.
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
    """What was audited. Files are named without their paths; None means not given.

    `vectors` is None if they were encoded for the audit. `named` means that every input can be named on a command line.
    `left_out` counts the texts or sentences that were skipped; the verdict says why. `digest` is the beginning of the
    SHA-256 of the target vectors, which identifies them.
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
