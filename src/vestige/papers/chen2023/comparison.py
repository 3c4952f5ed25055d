"""Figure 5.1 and Table 5.2: SADE beside its rivals, and its two ways to choose what to ask."""

from collections.abc import Callable, Iterator

from vestige.papers.chen2023.adversary import FIVE, RIVALS, SADE, SADE_QS, Adversary, at_five
from vestige.papers.chen2023.differs import differs
from vestige.papers.chen2023.models import SURROGATE, models, surrogate
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.study import Study
from vestige.papers.chen2023.texts import Documents, missing, read_documents
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line, Row
from vestige.papers.rows import Place
from vestige.papers.run import Run

STRATEGIES = (*(f"random, {name}" for name in FIVE), *(f"chosen, {name}" for name in FIVE))


def figure51(run: Run[Sizes]) -> Findings:
    """Every attack on every data set, measure of importance and encoder."""
    return _by_section(run, "figure5.1", against_rivals)


def table52(run: Run[Sizes]) -> Findings:
    """Queries at random, and chosen: by Procrustes and k-means in the thesis, by coverage of the pool here."""
    return _by_section(run, "table5.2", _two_ways)


def against_rivals(adversary: Adversary) -> Iterator[Line]:
    """A line an attack."""
    yield Line(SADE_QS, at_five(adversary.scored(adversary.sade())))
    yield Line(SADE, at_five(adversary.scored(adversary.sade(selection="random"))))
    for name, way in RIVALS.items():
        yield Line(name, at_five(adversary.scored(way(adversary))))
    yield Line(OURS, at_five(adversary.scored(adversary.sade(recipe="vestige"))))
    yield Line(PRIOR, at_five(adversary.scored(adversary.rule())))


def _two_ways(adversary: Adversary) -> Iterator[Line]:
    for by, recipe, chosen in ((PAPER, "chen", "procrustes"), (OURS, "vestige", "coverage")):
        ways = [adversary.sade(recipe=recipe, selection=selection) for selection in ("random", chosen)]
        yield Line(by, tuple(score for way in ways for score in at_five(adversary.scored(way))))
    yield Line(PRIOR, 2 * at_five(adversary.scored(adversary.rule())))


def _by_section(run: Run[Sizes], table: str, lines: Callable[[Adversary], Iterator[Line]]) -> Findings:
    """A section is a data set, and a measure of importance where one is named."""
    printed = published("chen2023", table)
    advance = run.progress(f"{table}, rows", sum(map(len, printed.values())))
    rows: list[Row] = []
    read: dict[str, Documents] = {}
    for section, known in printed.items():
        dataset, _, importance = section.partition(", ")
        if reason := missing(run, dataset):
            rows += [Row(section, model, "", row, (), f"left out: {reason}") for model, row in known.items()]
            advance(len(known))
            continue
        documents = read.setdefault(dataset, read.get(dataset) or read_documents(run, dataset))
        targets = models(run, known, documents.encoded, documents.studied)
        study = Study(run, documents, surrogate(run, SURROGATE, documents.studied), importance or "TF-IDF")
        for model, row in known.items():
            rows.append(study.row(Place(table, section, model, row), targets[model], lines))
            advance(1)
    return Findings(tuple(rows), differs(run, read))
