"""Figure 5.4: every private encoder attacked with every surrogate (C7)."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.papers.chen2023.adversary import Adversary
from vestige.papers.chen2023.differs import differs
from vestige.papers.chen2023.models import models
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.study import Study
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line, Row
from vestige.papers.rows import Place
from vestige.papers.run import Run
from vestige.papers.victims import Victim

DATASET = "20 News"
COLUMNS = ("Precision@5",)
SURROGATE = "Surrogate "


def figure54(run: Run[Sizes]) -> Findings:
    """A section a surrogate, a row a private encoder; then what each reaches, and suffers, on average."""
    documents = read_documents(run, DATASET)
    printed = published("chen2023", "figure5.4")
    everyone = list(printed[SURROGATE + "SBERT"])
    encoders = models(run, everyone, documents.encoded, documents.studied)
    rows: list[Row] = []
    advance = run.progress("figure5.4, rows", len(everyone) ** 2)
    for section, known in printed.items():
        own = encoders[section.removeprefix(SURROGATE)]
        for model, row in known.items():
            advance(1)
            if not isinstance(own, Victim):
                rows.append(Row(section, model, encoders[model].here, row, (), f"left out: {own.reason}"))
                continue
            study = Study(run, documents, own)
            rows.append(study.row(Place("figure5.4", section, model, row), encoders[model], _lines))
    told = (*_averages(rows), *differs(run, {DATASET: documents}))
    return Findings(tuple(rows), told)


def _lines(adversary: Adversary) -> Iterator[Line]:
    yield Line(PAPER, (adversary.scored(adversary.sade())[5].precision,))
    yield Line(OURS, (adversary.scored(adversary.sade(recipe="vestige"))[5].precision,))
    yield Line(PRIOR, (adversary.scored(adversary.rule())[5].precision,))


def _averages(rows: Sequence[Row]) -> Iterator[str]:
    """The two margins of the heat map, for either recipe."""
    for by in (PAPER, OURS):
        found = {
            (row.section.removeprefix(SURROGATE), row.model): line.scores[0].value
            for row in rows
            for line in row.lines
            if line.by == by and line.scores[0] is not None
        }
        for side, what in enumerate(("as surrogate", "as private encoder")):
            names = dict.fromkeys(pair[side] for pair in found)
            means = {name: np.mean([value for pair, value in found.items() if pair[side] == name]) for name in names}
            if means:
                told = ", ".join(f"{name} {100 * mean:.1f}" for name, mean in means.items())
                yield f"Mean Precision@5 {what}, {by}: {told}."
