"""Table II: birth dates recovered from the vectors of citizen IDs (Pan et al. 2020, Section V)."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.case.randomness import stream
from vestige.encoders.wrapper import unwrap
from vestige.metrics.pattern_recovery import PatternRecovery, pattern_recovery
from vestige.papers.pan2020.attacks import exact_score
from vestige.papers.pan2020.notes import describe_examples, model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.published import Sections, list_models
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.timed_encoder import TimedEncoder
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.types import Score, TrainingLog

PATTERN = "citizen-id"
COLUMNS = tuple(f"{part}, top-{depth}" for part in ("year", "month", "day", "whole") for depth in (1, 5))
RECIPES = {PAPER: "pan", OURS: "default"}
RECORDS = 1000


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Citizen IDs are generated; the adversary knows their format and queries the encoder."""
    records = load_pattern(PATTERN).generate(run.sizes.records, stream(run.seed, "records"))
    attacked = Corpus(PATTERN, records.texts)
    targets = load_models(run, list_models(printed), [attacked])

    def lines(target: Victim) -> Iterator[Line]:
        recovered = None
        for by, recipe in RECIPES.items():
            fitted = fit_reconstructor(run, PATTERN, recipe, target)
            recovered = pattern_recovery(fitted.attack.infer(target.vectors(attacked)), records.secrets)
            yield Line(by, _columns(recovered), fitted.logs, fitted.seconds)
        assert recovered is not None
        yield Line(PRIOR, tuple(exact_score(score.baseline, score.n) for score in _columns(recovered)))

    return Plan(plan_rows(printed, targets, attacked, lines), model_notes(run, targets) + record_notes(run.sizes))


@dataclass(frozen=True)
class FittedReconstructor:
    """A fitted attack, how its training ended, and the processor time of fitting it, without that of encoding."""

    attack: PatternReconstructor
    logs: tuple[TrainingLog, ...]
    seconds: float


def fit_reconstructor(run: PaperRun[PanSizes], pattern: str, recipe: str, target: Victim) -> FittedReconstructor:
    """The attack by a recipe; the paper's trains for the iterations of this scale.

    Fresh texts are not stored: none is queried twice, and 12.8 million vectors would fill memory and disk.
    """
    fresh = run.sizes.fresh and recipe == "pan"
    attack = PatternReconstructor(
        pattern=pattern,
        recipe="pan" if recipe == "pan" else "default",
        examples=run.sizes.examples,
        iterations=run.sizes.iterations if recipe == "pan" else None,
        fresh=fresh,
        device=run.device,
    )
    encoder, started = TimedEncoder(unwrap(target.encoder) if fresh else target.encoder), process_time()
    attack.fit(encoder, rng=stream(run.seed, "attack"), progress=run.progress)
    seconds = process_time() - started - encoder.seconds
    return FittedReconstructor(attack, () if attack.log_ is None else (attack.log_,), seconds)


def _columns(recovered: PatternRecovery) -> tuple[Score, ...]:
    parts = [recovered.fields[name] for name in ("year", "month", "day")]
    return tuple(score for part in (*parts, recovered.whole) for score in (part.top1, part.top5))


def record_notes(sizes: PanSizes) -> tuple[str, ...]:
    """How Table II differs from the paper."""
    return (
        f"Texts: {sizes.records:,} citizen IDs ({RECORDS:,} in the paper), years 1920 to 2019, only days that exist in "
        "the calendar. Guessing treats every year, month and day as equally likely; the paper prints 0.01 percent for "
        "the whole date, although 100 x 12 x 31 values give 0.003.",
        describe_examples(sizes),
    )


TABLES = {"table2": Table("Table II: birth dates recovered from citizen IDs", COLUMNS, plan)}
