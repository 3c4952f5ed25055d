"""The probe `patterns`: can the fields of a number or a date be recovered from a vector?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.case.case import Case, Knowledge, Missing
from vestige.case.findings import Adversary, Bar, Chart, Finding, Measure
from vestige.case.level import describe_no_gain, find_doubts, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import MADE_UP, RECORDS, Recipe, Settings
from vestige.encoders.metered import Metered
from vestige.metrics.pattern_recovery import PatternRecovery, pattern_recovery
from vestige.probes.inversions import warn_unconverged
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards
from vestige.text.patterns import Pattern, Records, load_pattern
from vestige.text.patterns.load import detect_patterns
from vestige.types import Encoder, FieldGuesses, Flags, Floats, Progress, Score, TrainingLog, Vectors, silent

MEASURES = {
    "fields": "Secret fields that are recovered by the first guess",
    "whole": "Whole secrets that are recovered by the first guess",
}
ATTACKS: dict[Recipe, str] = {
    "default": "pattern reconstruction, all fields from one network (after Pan et al. 2020, Section V)",
    "paper": "pattern reconstruction, a network per field, paper recipe (Pan et al. 2020, Section V and Appendix B)",
}
RECIPES: dict[Recipe, Literal["default", "pan"]] = {"default": "default", "paper": "pan"}
SWEEP_EXAMPLES: dict[Effort, int] = {"full": 5000, "screen": 2000}
"""Records that the adversary generates for every defense of a sweep."""

FEW = (
    " The format has so few values that the attacker had generated most of these records itself: it looks them up "
    "rather than infers them."
)
NONE_HELD = Missing("no pattern was named, and the texts contain none of the built-in ones", "name one with --pattern")


@dataclass(frozen=True)
class AttackedPattern:
    """A pattern, records of it, the guesses from their vectors, and the number of queries.

    `unseen` says that none of the records is among those that the adversary generated itself; `log_` says how the
    training of published networks ended.
    """

    pattern: Pattern
    records: Records
    guesses: FieldGuesses
    queries: int
    unseen: bool
    log_: TrainingLog | None = None

    @property
    def right(self) -> Flags:
        """Whether the likeliest value is the true one: one row per record, one column per secret field."""
        columns = [
            np.asarray(values)[self.guesses.probabilities[name].argmax(axis=1)]
            == np.asarray(self.records.secrets[name])
            for name, values in self.guesses.values.items()
        ]
        return np.stack(columns, axis=1)

    @property
    def chances(self) -> Floats:
        """The chance of guessing each field."""
        return np.array(list(self.pattern.chances.values()))


@dataclass(frozen=True)
class PatternsProbe(Probe):
    """Generates records of a format, attacks their vectors, and scores how much of each secret is recovered."""

    measures: ClassVar[dict[str, str]] = MEASURES
    standards: ClassVar[Standards] = Standards(("LLM08:2025", "LLM02:2025"), ("AML.T0024.001",))
    rank: ClassVar[int] = 5
    cost: ClassVar[Cost] = Cost(10)

    name: str
    question: str

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        return (cls("patterns", "Can a stranger who knows the format recover a number or a date?"),)

    def list_recipes(self) -> tuple[str, ...]:
        """The published attack on this question."""
        return ("pan-patterns",)

    def can_apply(self, plan: CasePlan) -> bool:
        """Whether a pattern was named, or is in the texts."""
        return bool(_load_patterns(plan.settings, plan.targets.texts))

    def estimate_queries(self, plan: CasePlan) -> Iterator[str]:
        """Generated records of every pattern: those that are attacked, and those that the adversary learns from."""
        for pattern in _load_patterns(plan.settings, plan.targets.texts):
            yield from pattern.generate(MADE_UP + RECORDS, np.random.default_rng(0)).texts

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:
        """One setup per pattern."""
        patterns = self._select(case, run.settings)
        if isinstance(patterns, Missing):
            return patterns
        return [PatternSetup(pattern, run.settings, effort) for pattern in patterns]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Attack every pattern that was named or that the texts contain."""
        patterns = self._select(case, run.settings)
        if isinstance(patterns, Missing):
            return patterns
        assert case.encoder is not None
        attacked = [_attack(pattern, case.encoder, run.settings, run.progress) for pattern in patterns]
        return self._finding(attacked, run.settings)

    def _select(self, case: Case, settings: Settings) -> list[Pattern] | Missing:
        if case.encoder is None:
            return case.no_queries or NONE_HELD
        return _load_patterns(settings, [] if case.truth is None else case.truth.texts) or NONE_HELD

    def _finding(self, attacked: list[AttackedPattern], settings: Settings) -> Finding:
        scorer = Scorer([str(row) for row in range(RECORDS * len(attacked))], settings.seed)
        rights = [each.right for each in attacked]
        mismatched = [_mismatch(each) for each in attacked]
        measures = (
            _measure(
                "fields", [_mean(table) for table in (rights, mismatched)], _chance(attacked, whole=False), scorer
            ),
            _measure("whole", [_all(table) for table in (rights, mismatched)], _chance(attacked, whole=True), scorer),
        )
        gains = _mean(rights) - _chance(attacked, whole=False)
        leakage = scorer.gain(gains)
        queries = sum(each.queries for each in attacked)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACKS[settings.recipe_kind],
            headline="fields",
            level=grade_leakage(leakage),
            summary=_summarize(attacked, measures, leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=tuple(_by_field(each) for each in attacked),
            examples=(),
            adversary=Adversary(
                (
                    f"vectors of {RECORDS:,} records of each format, generated for this audit, without the records",
                    "the format, and the encoder to query with records that the attacker generates itself; no weights",
                ),
                queries,
                queries,
            ),
            warnings=(*find_doubts(measures[0]), *(text for each in attacked for text in warn_unconverged(each))),
            per_target=scorer.record_gains(gains, [text for each in attacked for text in each.records.texts]),
        )


class PatternSetup(Setup):
    """The secret fields of generated records of one format, from a network that is fitted on fewer generated records.

    Records that the adversary happens to generate itself are not scored, unless the format has too few values.
    """

    measure = MEASURES["fields"]

    def __init__(self, pattern: Pattern, settings: Settings, effort: Effort) -> None:
        self.name = f"patterns:{pattern.name}"
        self.pattern = pattern
        self.settings = settings
        self.examples = SWEEP_EXAMPLES[effort]
        self.attack = ATTACKS[settings.recipe_kind]
        self._drawn = pattern.generate(2 * RECORDS, stream(settings.seed, f"records of {pattern.name}"))

    def select_targets(self, case: Case) -> Vectors:
        """The vectors of the records, as the encoder of the case gives them."""
        assert case.encoder is not None
        return case.encoder.encode(self._drawn.texts)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """Fit on records that the adversary generates and queries."""
        assert knowledge.encoder is not None
        encoder = _RecordingEncoder(knowledge.encoder)
        recipe = RECIPES[self.settings.recipe_kind]
        attack = PatternReconstructor(pattern=self.pattern, recipe=recipe, examples=self.examples)
        attack.fit(encoder, rng=stream(self.settings.seed, "attack"), progress=progress)
        fresh = [row for row, text in enumerate(self._drawn.texts) if text not in encoder.queried]
        rows = fresh[:RECORDS] if len(fresh) >= RECORDS else list(range(RECORDS))
        return lambda vectors: (rows, attack.infer(vectors))

    def score(self, guesses: tuple[list[int], FieldGuesses]) -> ProbeScore:
        """The share of fields whose likeliest value is the true one, in the given rows; the prior is chance."""
        rows, fields = guesses
        chosen = {name: table[rows] for name, table in fields.probabilities.items()}
        attacked = AttackedPattern(
            self.pattern, self._drawn.take(rows), replace(fields, probabilities=chosen), 0, unseen=True
        )
        scorer = Scorer([str(row) for row in range(RECORDS)], self.settings.seed)
        values, chance = _mean([attacked.right]), _chance([attacked], whole=False)
        baseline = float(chance.mean())
        return ProbeScore(
            scorer.score(values, baseline=baseline),
            scorer.score(chance, baseline=baseline),
            scorer.gain(values - chance),
        )


def _load_patterns(settings: Settings, texts: Sequence[str]) -> list[Pattern]:
    """The patterns that the owner named, or else those that the texts contain."""
    return [load_pattern(name) for name in settings.patterns or detect_patterns(texts)]


def _attack(pattern: Pattern, encoder: Encoder, settings: Settings, progress: Progress) -> AttackedPattern:
    meter = _RecordingEncoder(encoder)
    attack = PatternReconstructor(pattern=pattern, recipe=RECIPES[settings.recipe_kind], examples=MADE_UP)
    attack.fit(meter, rng=stream(settings.seed, "attack"), progress=progress)
    drawn = pattern.generate(2 * RECORDS, stream(settings.seed, f"records of {pattern.name}"))
    fresh = [row for row, text in enumerate(drawn.texts) if text not in meter.queried]
    unseen = len(fresh) >= RECORDS
    records = drawn.take(fresh[:RECORDS] if unseen else range(RECORDS))
    vectors = encoder.encode(records.texts, progress=lambda _, total: progress("encoding records", total))
    return AttackedPattern(pattern, records, attack.infer(vectors), meter.spent, unseen, attack.log_)


class _RecordingEncoder(Metered):
    """Records its queries, so that the adversary is not scored on records that it generated itself."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.queried: set[str] = set()

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Record the texts, then encode them."""
        self.queried.update(texts)
        return super().encode(texts, progress=progress)


def _mismatch(attacked: AttackedPattern) -> Flags:
    """The guesses for one record, compared with the secrets of another."""
    secrets = {
        name: (*values[RECORDS // 2 :], *values[: RECORDS // 2]) for name, values in attacked.records.secrets.items()
    }
    return AttackedPattern(
        attacked.pattern, Records(attacked.records.texts, secrets), attacked.guesses, 0, attacked.unseen
    ).right


def _mean(tables: list[Flags]) -> Floats:
    return np.concatenate([table.mean(axis=1) for table in tables])


def _all(tables: list[Flags]) -> Floats:
    return np.concatenate([table.all(axis=1).astype(np.float64) for table in tables])


def _chance(attacked: list[AttackedPattern], *, whole: bool) -> Floats:
    chances = [each.pattern.whole_chance if whole else each.chances.mean() for each in attacked]
    return np.repeat(chances, RECORDS)


def _measure(name: str, values: list[Floats], chance: Floats, scorer: Scorer) -> Measure:
    baseline = float(chance.mean())
    attack, prior, control = (scorer.score(each, baseline=baseline) for each in (values[0], chance, values[1]))
    return Measure(name, MEASURES[name], attack, prior, control)


def _by_field(attacked: AttackedPattern) -> Chart:
    recovery: PatternRecovery = pattern_recovery(attacked.guesses, attacked.records.secrets)
    bars = [Bar(name, each.top1) for name, each in recovery.fields.items()]
    return Chart(
        f"What is recovered of a {attacked.pattern.name}",
        f"{_sentence(attacked.pattern.summary)}How often the first guess is right, field by field and for the whole "
        f"secret; the mark is guessing.{'' if attacked.unseen else FEW}",
        (
            *bars,
            Bar("the whole secret", recovery.whole.top1),
            Bar("the whole, among five guesses", recovery.whole.top5),
        ),
    )


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}. " if summary else ""


def _summarize(attacked: list[AttackedPattern], measures: tuple[Measure, ...], leakage: Score) -> str:
    names = " and ".join(each.pattern.name for each in attacked)
    who = f"A stranger who knows the format ({names}) and may query the encoder"
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    fields, whole = measures
    return (
        f"{who} recovers {fields.attack.value:.0%} of the secret fields of a record from its vector at the first guess "
        f"and {whole.attack.value:.1%} of whole secrets; guessing recovers {fields.prior.value:.0%} of the fields."
    )
