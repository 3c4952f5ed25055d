"""Table VIII: the number of test samples per keyword (Pan et al. 2020, Appendix H)."""

from collections.abc import Iterator
from functools import partial

from vestige.papers.pan2020.attacks import exact_score
from vestige.papers.pan2020.notes import describe_substitutes
from vestige.papers.pan2020.setup import PanSizes
from vestige.papers.pan2020.texts import SUBSTITUTES, KeywordStudy, choose_corpus, explain_missing, read_study
from vestige.papers.published import Sections
from vestige.papers.record import Line
from vestige.papers.rows import Place, PlannedRow, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table

COLUMNS = ("share of the sentences with it",)
BY = "sentences under attack"


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """One row per keyword; no encoder is attacked."""
    studies = {section: read_study(run, section) for section in printed if not explain_missing(run, section)}
    rows = [row for section in printed for row in _plan_section(run, section, printed, studies.get(section))]
    return Plan(rows, tuple(_describe(study) for study in studies.values()))


def _plan_section(
    run: PaperRun[PanSizes], section: str, printed: Sections, study: KeywordStudy | None
) -> Iterator[PlannedRow]:
    for keyword, figures in printed[section].items():
        place = Place(section, keyword, figures)
        used = SUBSTITUTES.get(keyword, keyword)
        if study is None:
            yield skip_row(place, choose_corpus(run, section), str(explain_missing(run, section)))
        elif used not in study.keywords:
            yield skip_row(place, study.targets.name, f"'{study.targets.name}' has other keywords")
        else:
            depends = (study.targets, study.keywords)
            yield PlannedRow(place, study.targets.name, partial(_lines, study, used, keyword), depends)


def _lines(study: KeywordStudy, used: str, printed: str) -> Iterator[Line | str]:
    column = study.truth[:, study.keywords.index(used)]
    yield Line(BY, (exact_score(float(column.mean()), len(column)),))
    samples = len(study.tests.tests.get(used, ()))
    name = used if used == printed else f"{used}, in place of {printed}"
    yield f"{name}: {samples:,} test samples, half of which contain it"


def _describe(study: KeywordStudy) -> str:
    return f"{study.section}: '{study.targets.name}', at this scale.{describe_substitutes(study)}"


TABLES = {"table8": Table("Table VIII: test samples per keyword", COLUMNS, plan)}
