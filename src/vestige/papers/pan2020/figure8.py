"""Figure 8: what the vectors are made for, splice sites and departments (Pan et al. 2020, Appendix A)."""

from collections.abc import Iterator
from functools import partial

from vestige.case.randomness import stream
from vestige.papers.notes import explain_missing_corpus
from vestige.papers.pan2020.attacks import exact_score
from vestige.papers.pan2020.defended import MOST_CLASSES, SYSTEM, DownstreamSystem
from vestige.papers.pan2020.figure3 import read_sites
from vestige.papers.pan2020.figure7_cases import DEPARTMENTS
from vestige.papers.pan2020.notes import model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.texts import read_split
from vestige.papers.published import Sections, list_models
from vestige.papers.record import PRIOR, Line
from vestige.papers.rows import Place, PlannedRow, plan_row, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim, Victims
from vestige.text.corpora import is_available
from vestige.text.split import sample_rows

COLUMNS = ("accuracy",)


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """One section per system; it learns from texts of other documents than those it is tested on."""
    systems = {"Genome": read_genome_system(run), "Medical": read_medical_system(run)}
    texts = [corpus for each in systems.values() if each for corpus in (each.learned, each.tested)]
    targets = load_models(run, list_models(printed), texts)
    rows = [row for section, system in systems.items() for row in _plan_section(section, system, printed, targets)]
    return Plan(rows, model_notes(run, targets) + tuple(_describe(name, system) for name, system in systems.items()))


def read_genome_system(run: PaperRun[PanSizes]) -> DownstreamSystem | None:
    """Does a sequence contain a splice site? None if there are no sequences."""
    if not is_available("splice"):
        return None
    sites = read_sites(run, run.sizes.records + run.sizes.strengths.system)
    tested = min(run.sizes.records, len(sites) // 2)
    return DownstreamSystem(sites.take(range(tested, len(sites))), sites.take(range(tested)), "site", run.seed)


def read_medical_system(run: PaperRun[PanSizes]) -> DownstreamSystem | None:
    """To which department does a sentence belong? None if the corpus has no label that stands in for it."""
    sides = read_split(run, "Medical")
    label = DEPARTMENTS.get(sides.targets.name)
    if label not in sides.targets.attributes:
        return None
    rng = stream(run.seed, "system")
    learned = sides.shadow.take(sample_rows(range(len(sides.shadow)), run.sizes.strengths.system, rng))
    tested = sides.targets.take(sample_rows(range(len(sides.targets)), 2 * run.sizes.records, rng))
    return DownstreamSystem(learned, tested, str(label), run.seed)


def _plan_section(
    section: str, system: DownstreamSystem | None, printed: Sections, targets: Victims
) -> Iterator[PlannedRow]:
    for model, figures in printed[section].items():
        place, target = Place(section, model, figures), targets[model]
        if system is None:
            yield skip_row(place, target.here, explain_missing_corpus("splice" if section == "Genome" else "pubmed"))
        else:
            yield plan_row(place, target, (system.learned, system.tested), partial(_lines, system))


def _lines(system: DownstreamSystem, target: Victim) -> Iterator[Line]:
    found = system.scores(target, target)
    score = found.taught_again
    yield Line(SYSTEM, (score,), found.logs)
    yield Line(PRIOR, (exact_score(score.baseline, score.n),))


def _describe(section: str, system: DownstreamSystem | None) -> str:
    if system is None:
        return f"{section} is skipped: no corpus with labels is available."
    return (
        f"{section}: a network learns from {len(system.learned):,} texts of '{system.learned.name}' (31,680 sequences, "
        f"or some of 120,000 descriptions, in the paper) and is tested on {len(system.tested):,}; at most "
        f"{MOST_CLASSES} classes, the most frequent of '{system.label}'. The paper prints no values but over 75 for "
        "Bert on Genome and over 90 for the systems on Medical, which is one figure for all models. Guessing is the "
        "most frequent class."
    )


TABLES = {"figure8": Table("Figure 8: what the vectors are made for", COLUMNS, plan)}
