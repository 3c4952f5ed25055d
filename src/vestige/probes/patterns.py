"""The probe `patterns`: can the fields of a number or a date be read out of a vector (P2, P3)?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.patterns import PatternReconstructor
from vestige.case.case import Case, Missing
from vestige.case.findings import Adversary, Bar, Chart, Finding, Measure, NotApplicable
from vestige.case.level import doubts, level_of, not_told_apart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import MADE_UP, RECORDS, Settings
from vestige.encoders.metered import Metered
from vestige.metrics.pattern_recovery import PatternRecovery, pattern_recovery
from vestige.text.patterns import Pattern, Records, load_pattern
from vestige.text.personal import held_patterns
from vestige.types import Encoder, FieldGuesses, Flags, Floats, Progress, Score, Vectors, silent

MEASURES = {
    "fields": "Secret fields that are read, first guess",
    "whole": "Whole secrets that are read, first guess",
}
FEW = (
    " The format has so few values that the stranger had made up most of these records itself: it looks them up as "
    "much as it reads them."
)
NONE_HELD = Missing("no pattern was named, and the texts hold none of the shipped ones", "name one with --pattern")


@dataclass(frozen=True)
class _Attacked:
    """A pattern, records of it, what the stranger makes of their vectors, and what it asked.

    `unseen` says that none of the records is among those that it made up itself.
    """

    pattern: Pattern
    records: Records
    guesses: FieldGuesses
    queries: int
    unseen: bool

    @property
    def right(self) -> Flags:
        """A row a record, a column a secret field: is the likeliest value the true one?"""
        columns = [
            np.asarray(values)[self.guesses.probabilities[name].argmax(axis=1)]
            == np.asarray(self.records.secrets[name])
            for name, values in self.guesses.values.items()
        ]
        return np.stack(columns, axis=1)

    @property
    def chances(self) -> Floats:
        """What guessing gives, field by field."""
        return np.array(list(self.pattern.chances.values()))


@dataclass(frozen=True)
class PatternsProbe:
    """Generates records of a format, attacks their vectors, and says how much of each secret is read."""

    name: str
    question: str

    @property
    def measures(self) -> tuple[str, ...]:
        """Fields, and whole secrets."""
        return tuple(MEASURES)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Attack every pattern that was named or that the texts hold."""
        missing = case.unasked
        if case.encoder is not None:
            texts = [] if case.truth is None else case.truth.texts
            patterns = [load_pattern(name) for name in settings.patterns or held_patterns(texts)]
            if patterns:
                attacked = [_attacked(pattern, case.encoder, settings, progress) for pattern in patterns]
                return self._finding(attacked, settings)
            missing = NONE_HELD
        assert missing is not None
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(self, attacked: list[_Attacked], settings: Settings) -> Finding:
        scorer = Scorer([str(row) for row in range(RECORDS * len(attacked))], settings.seed)
        rights = [each.right for each in attacked]
        mismatched = [_mismatched(each) for each in attacked]
        measures = (
            _measure(
                "fields", [_mean(table) for table in (rights, mismatched)], _chance(attacked, whole=False), scorer
            ),
            _measure("whole", [_all(table) for table in (rights, mismatched)], _chance(attacked, whole=True), scorer),
        )
        leakage = scorer.gain(_mean(rights) - _chance(attacked, whole=False))
        queries = sum(each.queries for each in attacked)
        return Finding(
            probe=self.name,
            question=self.question,
            attack="pattern reconstruction, all fields from one network (after Pan et al. 2020, Section V)",
            headline="fields",
            level=level_of(leakage),
            summary=_summary(attacked, measures, leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=tuple(_by_field(each) for each in attacked),
            examples=(),
            adversary=Adversary(
                (
                    f"vectors of {RECORDS:,} records of each format, made up for this audit, without the records",
                    "the format, and the encoder to ask for records that the stranger makes up itself; no weights",
                ),
                queries,
                queries,
            ),
            warnings=doubts(measures[0]),
        )


def _attacked(pattern: Pattern, encoder: Encoder, settings: Settings, progress: Progress) -> _Attacked:
    meter = _Heard(encoder)
    attack = PatternReconstructor(
        pattern=pattern, recipe="pan" if settings.recipe == "paper" else "default", examples=MADE_UP
    )
    attack.fit(meter, rng=stream(settings.seed, "attack"), progress=progress)
    drawn = pattern.generate(2 * RECORDS, stream(settings.seed, f"records of {pattern.name}"))
    fresh = [row for row, text in enumerate(drawn.texts) if text not in meter.heard]
    unseen = len(fresh) >= RECORDS
    records = drawn.take(fresh[:RECORDS] if unseen else range(RECORDS))
    vectors = encoder.encode(records.texts, progress=lambda _, total: progress("encoding records", total))
    return _Attacked(pattern, records, attack.infer(vectors), meter.spent, unseen)


class _Heard(Metered):
    """Remembers what it was asked, so that the stranger is not tried on its own records."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.heard: set[str] = set()

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Listen, then encode."""
        self.heard.update(texts)
        return super().encode(texts, progress=progress)


def _mismatched(attacked: _Attacked) -> Flags:
    """The guesses for one record beside the secrets of another."""
    secrets = {
        name: (*values[RECORDS // 2 :], *values[: RECORDS // 2]) for name, values in attacked.records.secrets.items()
    }
    return _Attacked(
        attacked.pattern, Records(attacked.records.texts, secrets), attacked.guesses, 0, attacked.unseen
    ).right


def _mean(tables: list[Flags]) -> Floats:
    return np.concatenate([table.mean(axis=1) for table in tables])


def _all(tables: list[Flags]) -> Floats:
    return np.concatenate([table.all(axis=1).astype(np.float64) for table in tables])


def _chance(attacked: list[_Attacked], *, whole: bool) -> Floats:
    chances = [each.pattern.whole_chance if whole else each.chances.mean() for each in attacked]
    return np.repeat(chances, RECORDS)


def _measure(name: str, values: list[Floats], chance: Floats, scorer: Scorer) -> Measure:
    baseline = float(chance.mean())
    attack, prior, control = (scorer.score(each, baseline=baseline) for each in (values[0], chance, values[1]))
    return Measure(name, MEASURES[name], attack, prior, control)


def _by_field(attacked: _Attacked) -> Chart:
    found: PatternRecovery = pattern_recovery(attacked.guesses, attacked.records.secrets)
    bars = [Bar(name, recovery.top1) for name, recovery in found.fields.items()]
    return Chart(
        f"What is read of a {attacked.pattern.name}",
        f"{_sentence(attacked.pattern.summary)}How often the first guess is right, field by field and for the whole "
        f"secret; the mark is guessing.{'' if attacked.unseen else FEW}",
        (*bars, Bar("the whole secret", found.whole.top1), Bar("the whole, among five guesses", found.whole.top5)),
    )


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}. " if summary else ""


def _summary(attacked: list[_Attacked], measures: tuple[Measure, ...], leakage: Score) -> str:
    names = " and ".join(each.pattern.name for each in attacked)
    who = f"A stranger who knows the format ({names}) and may ask the encoder"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    fields, whole = measures
    return (
        f"{who} reads {fields.attack.value:.0%} of the secret fields of a record from its vector at the first guess, "
        f"and {whole.attack.value:.1%} of whole secrets; guessing reads {fields.prior.value:.0%} of the fields."
    )
