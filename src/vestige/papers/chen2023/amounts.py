"""Figures 5.2 and 5.3: the number of queries, and of documents to choose them from."""

from collections.abc import Callable, Sequence

from vestige.papers.chen2023.adversary import FIVE
from vestige.papers.chen2023.comparison import against_rivals
from vestige.papers.chen2023.differs import differs
from vestige.papers.chen2023.models import SURROGATE, models, surrogate
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.study import Study
from vestige.papers.chen2023.texts import Documents, read_documents
from vestige.papers.curves import Measured, curves_of
from vestige.papers.published import published
from vestige.papers.record import Findings, Plot
from vestige.papers.rows import Place
from vestige.papers.run import Run

DATASET = "20 News"


def figure52(run: Run[Sizes]) -> Findings:
    """From ten queries to the whole pool."""
    return _curve(run, "figure5.2", "queries", run.sizes.queries, lambda documents, count: (documents, count))


def figure53(run: Run[Sizes]) -> Findings:
    """A fixed number of queries, from a smaller or a larger pool."""
    return _curve(
        run,
        "figure5.3",
        "documents",
        run.sizes.pools,
        lambda documents, count: (documents.pooled(count), run.sizes.few),
    )


def _curve(
    run: Run[Sizes],
    table: str,
    across: str,
    counts: Sequence[int],
    setting: Callable[[Documents, int], tuple[Documents, int]],
) -> Findings:
    documents = read_documents(run, DATASET)
    own = surrogate(run, SURROGATE, documents.studied)
    measured: list[Measured] = []
    advance = run.progress(f"{table}, points", len(counts))
    for section, known in published("chen2023", table).items():
        targets = models(run, known, documents.encoded, documents.studied)
        for count in counts:
            given, budget = setting(documents, count)
            study = Study(run, given, own, budget=budget)
            for model, row in known.items():
                place = Place(table, section, f"{model}, {count:,} {across}", row)
                measured.append(Measured(count, "", study.row(place, targets[model], against_rivals)))
            advance(1)
    plots = tuple(
        Plot(f"{name} by number of {across}", across, name, curves_of(measured, column))
        for column, name in enumerate(FIVE)
    )
    return Findings(tuple(one.row for one in measured), differs(run, {DATASET: documents}), plots)
