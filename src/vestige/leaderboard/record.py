"""The record of a leaderboard: one row per encoder, all that its page reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from vestige.case.codec import round_fields
from vestige.case.display import build_frame, find_by_name, format_value, render_fragment
from vestige.case.findings import Level, NotApplicable
from vestige.case.settings import Settings
from vestige.types import Score

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class EncoderLeakage:
    """The leakage of one probe. If there is a warning, the level is unknown and the figure does not count."""

    probe: str
    level: Level
    leakage: Score
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LengthLeakage:
    """The leakage of words from texts of one length."""

    length: str
    leakage: Score


@dataclass(frozen=True, slots=True)
class StoredForm:
    """Vectors as a store may keep them: their size, the leakage of words, and recall@10 relative to float32.

    The attack is fitted on vectors of the same form.
    """

    form: str
    bytes_per_vector: int
    leakage: Score
    recall: Score


@dataclass(frozen=True, slots=True)
class RankedEncoder:
    """One encoder. `retrieval` is how often the ten nearest texts contain one of the same document.

    It is None if too few documents have two texts. `skipped` says which lengths and stored forms are not there, and
    why.
    """

    encoder: str
    dimension: int
    retrieval: Score | None
    probes: tuple[EncoderLeakage, ...]
    lengths: tuple[LengthLeakage, ...]
    forms: tuple[StoredForm, ...]
    not_run: tuple[NotApplicable, ...]
    skipped: tuple[str, ...]

    @property
    def leakage(self) -> dict[str, Score]:
        """The leakage of every probe that ran, by its name."""
        return {each.probe: each.leakage for each in self.probes}


@dataclass(frozen=True, slots=True)
class NotRanked:
    """An encoder that could not be audited, and why."""

    encoder: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard:
    """Encoders, the least leaking first by the first probe. `result["minilm"]` is the row of that encoder.

    `pending` names the encoders that were not audited when the record was written.
    """

    schema: int
    version: str
    headline: str
    sentences: tuple[str, ...]
    corpus: str
    named: bool
    probes: tuple[str, ...]
    long_texts: tuple[int, ...]
    encoders: tuple[str, ...]
    ranked: tuple[RankedEncoder, ...]
    not_ranked: tuple[NotRanked, ...]
    settings: Settings
    pending: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Hold the numbers as they are written."""
        round_fields(self)

    def __getitem__(self, encoder: str) -> RankedEncoder:
        """The row of an encoder by its spec; a KeyError says why there is none."""
        why = next((f"was not ranked: {each.reason}" for each in self.not_ranked if each.encoder == encoder), "")
        return find_by_name(encoder, {each.encoder: each for each in self.ranked}, "encoder of this leaderboard", why)

    def __contains__(self, encoder: object) -> bool:
        return any(row.encoder == encoder for row in self.ranked)

    def __iter__(self) -> Iterator[RankedEncoder]:
        return iter(self.ranked)

    def to_frame(self) -> Any:
        """A pandas data frame with one row per encoder and figure."""
        return build_frame(
            {"encoder": row.encoder, "kind": kind, "name": name, "value": score.value}
            | {"low": score.low, "high": score.high, "n": score.n}
            for row in self.ranked
            for kind, name, score in list_scores(row)
        )

    def __repr__(self) -> str:
        lines = [f"Leaderboard: {self.headline}"]
        lines += [f"  {name}: {', '.join(values)}" for name, *values in self._rows()]
        return "\n".join([*lines, *(f"  not ranked: {each.encoder}: {each.reason}" for each in self.not_ranked)])

    def _repr_html_(self) -> str:
        return render_fragment(self.headline, self.sentences, ("encoder", *self.probes, "retrieval"), self._rows())

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                row.encoder,
                *(format_value(row.leakage[probe]) if probe in row.leakage else "-" for probe in self.probes),
                "-" if row.retrieval is None else format_value(row.retrieval),
            )
            for row in self.ranked
        ]


def list_scores(row: RankedEncoder) -> Iterator[tuple[str, str, Score]]:
    """Every score of an encoder, with its kind and name."""
    yield from (("probe", each.probe, each.leakage) for each in row.probes)
    yield from (("length", each.length, each.leakage) for each in row.lengths)
    for each in row.forms:
        yield "stored form", each.form, each.leakage
        yield "recall@10", each.form, each.recall
    if row.retrieval is not None:
        yield "retrieval", "same document among the ten nearest", row.retrieval
