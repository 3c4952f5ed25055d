"""Figure 7: what four defenses leave to the attacks, and of the use of the vectors."""

from collections.abc import Callable, Iterator, Sequence

from vestige.papers.curves import Measured, curves_of
from vestige.papers.pan2020.behind import asked_once
from vestige.papers.pan2020.defended_genome import read_genome
from vestige.papers.pan2020.defended_keywords import read_medical
from vestige.papers.pan2020.defenses_differ import defenses_differ
from vestige.papers.pan2020.differs import differs
from vestige.papers.pan2020.ground import COLUMNS, Ground
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.sensitivity import read_changed
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.strengths import Sweep
from vestige.papers.published import published
from vestige.papers.record import PRIOR, Curve, Findings, Line, Plot, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim


def figure7(run: Run[Sizes]) -> Findings:
    """Every model without a defense, then the first few that are here behind each."""
    changed = read_changed(run)
    genome, medical = read_genome(run, changed), read_medical(run, changed)
    rows: list[Row] = []
    plots: list[Plot] = []
    for ground in (genome, medical):
        printed = published("pan2020", "figure7")[ground.section]
        targets = [_once(target) for target in models(run, printed, ground.encoded)]
        here = [target for target in targets if isinstance(target, Victim)][: run.sizes.strengths.models]
        rows += [_undefended(run, ground, target) for target in targets if target in here or isinstance(target, Absent)]
        for target in here:
            for sweep in ground.sweeps:
                measured = list(_swept(run, ground, target, sweep))
                rows += [one.row for one in measured]
                plots += _plots(f"{target.model}, {ground.section}, {sweep.name}", sweep, measured)
    told = differs(run, here) + defenses_differ(run.sizes, genome, medical)
    return Findings(tuple(rows), told, tuple(plots))


def _once(target: Victim | Absent) -> Victim | Absent:
    return target if isinstance(target, Absent) else asked_once(target)


def _undefended(run: Run[Sizes], ground: Ground, target: Victim | Absent) -> Row:
    known = published("pan2020", "figure7")[ground.section][target.model]
    place = Place("figure7", ground.section, target.model, known)
    return row_of(run, place, target, ground.encoded, lambda target: ground.lines(target, target))


def _swept(run: Run[Sizes], ground: Ground, target: Victim, sweep: Sweep) -> Iterator[Measured]:
    section = f"{ground.section}, {sweep.name}"
    advance = run.progress(f"figure7, {section}", len(sweep.specs))
    for at, spec in sweep.specs.items():
        place = Place("figure7", section, f"{target.model}, {spec}", (None,) * len(COLUMNS))
        yield Measured(at, "", row_of(run, place, target, ground.encoded, _behind(ground, spec)))
        advance(1)


def _behind(ground: Ground, spec: str) -> Callable[[Victim], Iterator[Line]]:
    return lambda target: ground.lines(target, ground.owner.defended(target, spec))


def _plots(title: str, sweep: Sweep, measured: Sequence[Measured]) -> Iterator[Plot]:
    """A curve a way and a column, for a defense that has strengths."""
    if len(measured) < 2:
        return
    curves = [
        Curve(f"{curve.label}: {name}", curve.points)
        for column, name in enumerate(COLUMNS)
        for curve in curves_of(measured, column)
        if curve.label != PRIOR
    ]
    yield Plot(title, sweep.across, "accuracy", tuple(curves))
