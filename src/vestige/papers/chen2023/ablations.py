"""Tables 5.3 to 5.6, B.2 and C.3: what each part of SADE is worth."""

from collections.abc import Iterator, Mapping
from functools import partial

from vestige.papers.chen2023.adversary import Adversary, Way, at_every
from vestige.papers.chen2023.differs import differs
from vestige.papers.chen2023.models import SURROGATE, models, surrogate
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.study import Study
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line, Row
from vestige.papers.rows import Place
from vestige.papers.run import Run

DATASET = "20 News"


def _part(**settings: object) -> Way:
    return lambda adversary: adversary.sade(**settings)


WHOLE = _part()
PARTS: Mapping[str, Mapping[str, Way]] = {
    "table5.3": {"MSE": _part(objective="mse"), "BCE": _part(objective="bce"), "ListNet": WHOLE},
    "table5.4": {"MLP": Adversary.mlp, "without training": _part(adaptation="none"), "with training": WHOLE},
    "table5.5": {"MLP": Adversary.mlp, "no adversarial": _part(domain_weight=0.0), "adversarial": WHOLE},
    "table5.6": {
        "MLP": Adversary.mlp,
        "training + no adversarial": _part(domain_weight=0.0),
        "no training + adversarial": _part(adaptation="none"),
        "no training + no adversarial": _part(adaptation="none", domain_weight=0.0),
        "training + adversarial": WHOLE,
    },
    "tableB.2": {
        "Random": _part(selection="random"),
        "Max Sim": _part(selection="most-similar"),
        "Kmeans": _part(selection="kmeans"),
        "P-Kmeans": WHOLE,
        "Groups": _part(selection="groups"),
        "Coverage": _part(selection="coverage"),
    },
    "tableC.3": {f"n = {n}": _part(clusters=n) for n in (1, 5, 10, 50, 100, 150, 200)},
}
"""By table, the ways that its sections compare; a part that several tables need is measured once in each."""


def ablation(table: str, run: Run[Sizes]) -> Findings:
    """A section a way, then our default and the prior."""
    documents = read_documents(run, DATASET)
    printed = published("chen2023", table)
    study = Study(run, documents, surrogate(run, SURROGATE, documents.studied))
    rows: list[Row] = []
    advance = run.progress(f"{table}, rows", sum(map(len, printed.values())))
    for section, known in printed.items():
        targets = models(run, known, documents.encoded, documents.studied)
        for model, row in known.items():
            place = Place(table, section, model, row)
            rows.append(study.row(place, targets[model], partial(_lines, PARTS[table].get(section))))
            advance(1)
    return Findings(tuple(rows), differs(run, {DATASET: documents}))


def _lines(way: Way | None, adversary: Adversary) -> Iterator[Line]:
    if way is not None:
        yield Line(PAPER, at_every(adversary.scored(way(adversary))))
    else:
        yield Line(OURS, at_every(adversary.scored(adversary.sade(recipe="vestige"))))
        yield Line(PRIOR, at_every(adversary.scored(adversary.rule())))
