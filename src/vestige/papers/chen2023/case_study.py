"""Appendix D: which medical words are read out of single records (C10); texts themselves are not shown."""

from collections.abc import Iterator

import numpy as np

from vestige.case.randomness import stream
from vestige.papers.chen2023.adversary import RIVALS, SADE_QS, Adversary, Way, at_five
from vestige.papers.chen2023.differs import case_differs
from vestige.papers.chen2023.models import SURROGATE, models, surrogate
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.study import Study
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.published import published
from vestige.papers.record import OURS, PRIOR, Findings, Line, Row
from vestige.papers.rows import Place
from vestige.papers.run import Run

DATASET = "Clinical"
SAMPLES, SHOWN = 3, 10
MASK = "▪▪▪"


def case_study(run: Run[Sizes]) -> Findings:
    """Importance by KeyBERT where it is installed, else by tf-idf; three records with ten words of each way."""
    documents = read_documents(run, DATASET).of_subject()
    study = Study(run, documents, surrogate(run, SURROGATE, documents.studied), _importance())
    rows: list[Row] = []
    for section, known in published("chen2023", "casestudy").items():
        targets = models(run, known, documents.encoded, documents.studied)
        for model, row in known.items():
            place = Place("casestudy", section, model, row)
            rows.append(study.row(place, targets[model], _lines))
    return Findings(tuple(rows), case_differs(run, documents, study.importance))


def _importance() -> str:
    from importlib.util import find_spec

    return "KeyBERT" if find_spec("keybert") else "TF-IDF"


def _lines(adversary: Adversary) -> Iterator[Line | str]:
    ways: dict[str, Way] = {SADE_QS: Adversary.sade, **RIVALS, OURS: lambda one: one.sade(recipe="vestige")}
    about = np.flatnonzero(np.diff(adversary.truth.weights.indptr))
    chosen = stream(adversary.run.seed, "samples").permutation(about)[:SAMPLES]
    for by, way in {**ways, PRIOR: Adversary.rule}.items():
        attack = way(adversary)
        yield Line(by, at_five(adversary.scored(attack)))
        for record, ranked in enumerate(attack.infer(adversary.victims[chosen]).ranked, 1):
            held = _held(adversary, int(chosen[record - 1]))
            words = ", ".join(f"{word}*" if word in held else word for word, _ in ranked[:SHOWN])
            masked = " ".join([MASK] * (len(held) - sum(word in held for word, _ in ranked[:SHOWN])))
            yield f"Record {record}, {by}: {words}. Not among them: {masked or 'none'}"


def _held(adversary: Adversary, row: int) -> frozenset[str]:
    """The words that matter most in a record, as many as are shown."""
    weights = adversary.truth.weights[[row]].toarray()[0]
    best = np.argsort(-weights, kind="stable")[:SHOWN]
    return frozenset(adversary.truth.words[place] for place in best if weights[place] > 0)
