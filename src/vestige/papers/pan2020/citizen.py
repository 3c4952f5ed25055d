"""Table II: birth dates read out of the vectors of citizen IDs."""

from collections.abc import Iterator

from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.case.randomness import stream
from vestige.metrics.pattern_recovery import PatternRecovery, pattern_recovery
from vestige.papers.pan2020.differs import citizens_differ, differs
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.scores import exactly
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.types import Score

PATTERN = "citizen-id"
COLUMNS = tuple(f"{part}, top-{depth}" for part in ("year", "month", "day", "whole") for depth in (1, 5))
RECIPES = {PAPER: "pan", OURS: "default"}


def table2(run: Run[Sizes]) -> Findings:
    """Citizen IDs are generated; the adversary knows how, and may ask the encoder."""
    records = load_pattern(PATTERN).generate(run.sizes.records, stream(run.seed, "records"))
    attacked = Corpus(PATTERN, records.texts)

    def lines(target: Victim) -> Iterator[Line]:
        recovered = None
        for by, recipe in RECIPES.items():
            fitted = reconstructor(run, PATTERN, recipe).fit(
                target.encoder, rng=stream(run.seed, "attack"), progress=run.progress
            )
            recovered = pattern_recovery(fitted.infer(target.vectors(attacked)), records.secrets)
            yield Line(by, _columns(recovered))
        assert recovered is not None
        yield Line(PRIOR, tuple(exactly(score.baseline, score.n) for score in _columns(recovered)))

    rows = []
    for section, printed in published("pan2020", "table2").items():
        targets = models(run, printed, [attacked])
        advance = run.progress("table2, rows", len(targets))
        for target in targets:
            place = Place("table2", section, target.model, printed[target.model])
            rows.append(row_of(run, place, target, attacked, lines))
            advance(1)
    return Findings(tuple(rows), differs(run, targets) + citizens_differ(run.sizes))


def reconstructor(run: Run[Sizes], pattern: str, recipe: str) -> PatternReconstructor:
    """The attack by a recipe; the paper's trains as long as this scale has time for."""
    iterations = run.sizes.iterations if recipe == "pan" else None
    return PatternReconstructor(
        pattern=pattern,
        recipe="pan" if recipe == "pan" else "default",
        examples=run.sizes.examples,
        iterations=iterations,
    )


def _columns(recovered: PatternRecovery) -> tuple[Score, ...]:
    parts = [recovered.fields[name] for name in ("year", "month", "day")]
    return tuple(score for part in (*parts, recovered.whole) for score in (part.top1, part.top5))
