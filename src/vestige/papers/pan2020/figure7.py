"""Figure 7: leakage and utility behind four defenses (Pan et al. 2020, Section VII)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from vestige.papers.notes import list_used
from vestige.papers.pan2020.defended import COLUMNS, DefendedCase, DefendedVictims, memoize
from vestige.papers.pan2020.figure7_cases import DEPARTMENTS, GenomeCase, MedicalCase, read_genome, read_medical
from vestige.papers.pan2020.notes import model_notes
from vestige.papers.pan2020.setup import DefenseSweep, PanSizes, load_models
from vestige.papers.pan2020.table4 import read_changed
from vestige.papers.published import Sections, list_models
from vestige.papers.record import PRIOR, Curve, Line, Plot
from vestige.papers.rows import MeasuredRow, Place, PlannedRow, draw_curves, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import MissingModel, Victim, Victims


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Every model without a defense, then the first few available ones behind each defense."""
    changed = read_changed(run)
    genome, medical = read_genome(run, changed), read_medical(run, changed)
    loaded = load_models(run, list_models(printed), [*genome.encoded, *medical.encoded])
    targets = {model: memoize(target) if isinstance(target, Victim) else target for model, target in loaded.items()}
    victims = list_used(run, targets)[: run.sizes.strengths.models]
    rows = [row for case in (genome, medical) for row in _plan_case(case, printed, targets, victims)]
    sweeps = {
        _title(target, case, sweep): sweep for case in (genome, medical) for target in victims for sweep in case.sweeps
    }
    notes = model_notes(run, {target.model: target for target in victims}) + _defense_notes(run.sizes, genome, medical)
    return Plan(rows, notes, plots=partial(_plots, sweeps))


def _plan_case(
    case: DefendedCase, printed: Sections, targets: Victims, victims: Sequence[Victim]
) -> Iterator[PlannedRow]:
    for model, figures in printed[case.section].items():
        target = targets[model]
        if target in victims or isinstance(target, MissingModel):
            place = Place(case.section, model, figures)
            undefended = partial(_attack_undefended, case)
            yield plan_row(place, target, case.encoded, undefended)
    for target in victims:
        for sweep in case.sweeps:
            for at, spec in sweep.specs.items():
                section, title = f"{case.section}, {sweep.name}", _title(target, case, sweep)
                place = Place(section, f"{target.model}, {spec}", (None,) * len(COLUMNS), at, title)
                yield plan_row(place, target, case.encoded, partial(case.lines_of_sweep, sweep, spec))


def _attack_undefended(case: DefendedCase, target: Victim) -> Iterator[Line]:
    return case.lines(DefendedVictims(target, target, None))


def _title(target: Victim, case: DefendedCase, sweep: DefenseSweep) -> str:
    return f"{target.model}, {case.section}, {sweep.name}"


def _plots(sweeps: Mapping[str, DefenseSweep], measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    """For each defense with several strengths, one curve per attack and column."""
    for title, sweep in sweeps.items():
        points = [MeasuredRow(replace(one.place, curve=""), one.row) for one in measured if one.place.curve == title]
        if len(points) < 2:
            continue
        curves = [
            Curve(f"{curve.label}: {name}", curve.points)
            for column, name in enumerate(COLUMNS)
            for curve in draw_curves(points, column)
            if curve.label != PRIOR
        ]
        yield Plot(title, sweep.across, "accuracy", tuple(curves))


def _defense_notes(sizes: PanSizes, genome: GenomeCase, medical: MedicalCase) -> tuple[str, ...]:
    """How Figure 7 differs from the paper."""
    study, changed = medical.texts.study, len(medical.changed.original)
    return (
        "The paper does not say whether its attacks and its systems learned from defended vectors. Both are shown. "
        "DANN adapts to the victims' vectors, so that it has seen the defense in either column; in the second the "
        "unrelated texts are defended too. The networks that recover nucleotides learn from undefended vectors by the "
        f"paper's recipe, for {sizes.iterations:,} iterations (100,000), and from both by ours. A line says whether "
        "its training had converged; one that had not is undecided.",
        _describe_genome(genome),
        f"Medical: {len(study.targets):,} sentences of '{study.targets.name}'; keywords: {', '.join(study.keywords)}. "
        f"{_describe_departments(medical)}",
        f"Defenses are fitted on documents that are not under attack ({len(medical.held.targets):,} sentences, "
        f"{len(genome.held.corpus):,} sequences): an owner fits a defense on texts that it has, and uses it for texts "
        "to come. The columns with a defense fitted on the targets show how much better a defense looks on the vectors "
        "and labels it was fitted on; conclusions follow the first two. They are empty for defenses without labels.",
        "Defenses hide all ten keywords at once, or the nucleotide at every position, and in sections of their own one "
        "keyword at a time, as in the paper: there every keyword is attacked behind the defense that hides it.",
        f"Laplace: the sensitivity is the largest of {changed:,} pairs of sentences (10,000), for sequences too, since "
        "the paper has one per model. The values of epsilon and lambda are ours: the paper draws them without a scale.",
        f"PPM: {sizes.strengths.rounds:,} rounds at a rate of 1e-3; the paper states neither. The adversary's loss is "
        "averaged over keywords or positions, so that lambda has the scale of one keyword, as in the paper. Ours moves "
        "vectors by "
        "a network that makes the adversary guess, and projects out what linear attacks still predict.",
        "Subspace, as written: the paper takes the directions of most scatter around the mean of each class, which are "
        "those of most spread, whatever the keyword. Between the means: the directions in which the means of the "
        "classes differ, which is what the text of the paper describes, one direction per keyword.",
        "The figure prints no values. In words: 95 percent for the system on Medical without a defense, about 15 less "
        "with subspace projection, where 1 percent of the directions make DANN guess for most models; PPM takes "
        "RoBERTa and Transformer-XL from over 90 to about 25.",
        "The systems drop columns that contain only rounding errors (three of MiniLM's). They standardize all columns, "
        "and in columns stretched from 1e-9 the least noise would ruin a system that was trained without the defense.",
        f"At this scale {sizes.strengths.models} of the available models are defended.",
    )


def _describe_genome(genome: GenomeCase) -> str:
    count = len(genome.attacked.corpus)
    if genome.learned is None:
        return f"Genome: {count:,} generated sequences without a downstream task: corpus 'splice' is not available."
    return (
        f"Genome: {count:,} sequences of 'splice' (2,000 of HS3D); {len(genome.learned):,} others train the "
        "downstream system, which detects splice sites (31,680)."
    )


def _describe_departments(medical: MedicalCase) -> str:
    name = medical.texts.study.targets.name
    if medical.learned is None:
        return f"No label of '{name}' stands in for the department, so that there is no downstream system."
    return (
        f"The {DEPARTMENTS[name]} stands in for the department: the ten most frequent (10); {len(medical.learned):,} "
        "sentences of other documents, less those without one of them, train the downstream system (120,000 "
        "descriptions)."
    )


TABLES = {"figure7": Table("Figure 7: what four defenses hide, and what they cost", COLUMNS, plan)}
