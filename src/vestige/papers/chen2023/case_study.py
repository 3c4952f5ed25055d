"""Appendix D: medical words recovered from single records (Chen 2023); the texts themselves are not shown."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from vestige.case.randomness import stream
from vestige.papers.chen2023.adversary import OpenWorldAdversary
from vestige.papers.chen2023.attacks import BASELINES, FIVE, SADE_QS, Attack, AttackSetting
from vestige.papers.chen2023.figure5_1 import plan as plan_sets
from vestige.papers.chen2023.measured import scores_at_five
from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models, load_surrogate
from vestige.papers.chen2023.texts import TIMES_RARER, StudyDocuments, read_documents
from vestige.papers.published import Sections, list_models
from vestige.papers.record import OURS, PRIOR, Line
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table

DATASET = "Clinical"
SAMPLES, SHOWN = 3, 10
MASK = "▪▪▪"


def plan(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """Importance by KeyBERT if installed, else by tf-idf; three records with ten words from each attack."""
    documents = read_documents(run, DATASET).restrict_to_subject()
    setting = AttackSetting(run, documents, load_surrogate(run, SURROGATE, documents.studied), _choose_importance())
    targets = load_models(run, list_models(printed), documents.encoded, documents.studied)
    return Plan(setting.plan_rows(printed, targets, _lines), _case_notes(run, documents, setting.importance))


def _choose_importance() -> str:
    from importlib.util import find_spec

    return "KeyBERT" if find_spec("keybert") else "TF-IDF"


def _lines(adversary: OpenWorldAdversary) -> Iterator[Line | str]:
    attacks: dict[str, Attack] = {
        SADE_QS: OpenWorldAdversary.sade,
        **BASELINES,
        OURS: lambda one: one.sade(recipe="vestige"),
    }
    about = np.flatnonzero(np.diff(adversary.truth.weights.indptr))
    chosen = stream(adversary.run.seed, "samples").permutation(about)[:SAMPLES]
    if adversary.run.sizes.labels:
        yield from _describe_labels(adversary, chosen.tolist())
    for by, make in {**attacks, PRIOR: OpenWorldAdversary.mean_importance}.items():
        attack = make(adversary)
        log = getattr(attack, "log_", None)
        yield Line(by, scores_at_five(adversary.score(attack)), () if log is None else (log,))
        for record, ranked in enumerate(attack.infer(adversary.victims[chosen]).ranked, 1):
            important = _select_important(adversary, int(chosen[record - 1]))
            words = ", ".join(f"{word}*" if word in important else word for word, _ in ranked[:SHOWN])
            masked = " ".join([MASK] * (len(important) - sum(word in important for word, _ in ranked[:SHOWN])))
            yield f"Record {record}, {by}: {words}. Not among them: {masked or 'none'}"


def _describe_labels(adversary: OpenWorldAdversary, rows: Sequence[int]) -> Iterator[str]:
    """The most important words of each record, on request: they are the private text's own."""
    for record, row in enumerate(rows, 1):
        yield f"Record {record}, label: {', '.join(sorted(_select_important(adversary, row)))}"


def _select_important(adversary: OpenWorldAdversary, row: int) -> frozenset[str]:
    """The most important words of a record, at most as many as are shown."""
    weights = adversary.truth.weights[[row]].toarray()[0]
    best = np.argsort(-weights, kind="stable")[:SHOWN]
    return frozenset(adversary.truth.words[place] for place in best if weights[place] > 0)


def _case_notes(run: PaperRun[ChenSizes], documents: StudyDocuments, importance: str) -> tuple[str, ...]:
    """How the case study differs from the thesis."""
    return (
        f"Importance by {importance}. Records: '{documents.targets.name}' in place of clinical notes. The thesis does "
        f"not list its medical words; here they are those {TIMES_RARER} times rarer in '{documents.external.name}'.",
        "Samples: the ten best words of each attack; a star marks those among the ten most important of the record. "
        "The record itself is not shown; a mask replaces each of the ten that was not recovered, and --set labels=true "
        "shows them.",
        *study_notes(run, {"Clinical": documents}),
    )


TABLES = {
    "casestudy": Table("Appendix D: medical words recovered from records", FIVE, plan),
    "figureD.1": Table("Figure D.1: words recovered from examples of three corpora", FIVE, partial(plan_sets, _lines)),
}
