"""Figures 5.2 and 5.3: the number of queries, and of documents in the pool (Chen 2023, Chapter 5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from vestige.papers.chen2023.attacks import DATASET, FIVE, AttackSetting
from vestige.papers.chen2023.figure5_1 import against_baselines
from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models, load_surrogate
from vestige.papers.chen2023.texts import StudyDocuments, read_documents
from vestige.papers.published import Sections, list_models
from vestige.papers.record import Plot
from vestige.papers.rows import MeasuredRow, Place, draw_curves
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table


@dataclass(frozen=True)
class _Point:
    """A point of the curves: the value on the x-axis, the documents and the budget."""

    count: int
    documents: StudyDocuments
    budget: int


def plan_queries(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """From ten queries to the whole pool."""
    documents = read_documents(run, DATASET)
    points = [_Point(count, documents, count) for count in run.sizes.queries]
    return _plan(run, printed, "queries", documents, points)


def plan_pools(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """A fixed number of queries, from a smaller or a larger pool."""
    documents = read_documents(run, DATASET)
    points = [_Point(count, documents.shrink_pool(count), run.sizes.few) for count in run.sizes.pools]
    return _plan(run, printed, "documents", documents, points)


def _plan(
    run: PaperRun[ChenSizes],
    printed: Sections,
    across: str,
    documents: StudyDocuments,
    points: Sequence[_Point],
) -> Plan:
    own = load_surrogate(run, SURROGATE, documents.studied)
    targets = load_models(run, list_models(printed), documents.encoded, documents.studied)
    rows = [
        AttackSetting(run, point.documents, own, budget=point.budget).plan_row(
            Place(section, f"{model}, {point.count:,} {across}", figures, point.count),
            targets[model],
            against_baselines,
        )
        for section, models in printed.items()
        for point in points
        for model, figures in models.items()
    ]
    return Plan(rows, study_notes(run, {DATASET: documents}), plots=partial(_plots, across))


def _plots(across: str, measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    for column, name in enumerate(FIVE):
        yield Plot(f"{name} by number of {across}", across, name, draw_curves(measured, column))


TABLES = {
    "figure5.2": Table("Figure 5.2: by number of queries", FIVE, plan_queries),
    "figure5.3": Table("Figure 5.3: by number of documents in the pool", FIVE, plan_pools),
}
