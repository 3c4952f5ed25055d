"""Figure 5.4: every private encoder attacked with every surrogate (Chen 2023, Chapter 5)."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.papers.chen2023.adversary import OpenWorldAdversary
from vestige.papers.chen2023.attacks import DATASET, Attack, AttackSetting, SadeVariant
from vestige.papers.chen2023.measured import measure_line
from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import ChenSizes, load_models
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.published import Sections, list_models
from vestige.papers.record import OURS, PAPER, PRIOR, Line, Row
from vestige.papers.rows import Place, PlannedRow, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim

COLUMNS = ("Precision@5",)
SURROGATE = "Surrogate "


def plan(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """One section per surrogate, one row per private encoder; then the mean of each in either role."""
    documents = read_documents(run, DATASET)
    encoders = load_models(run, list_models(printed), documents.encoded, documents.studied)
    rows: list[PlannedRow] = []
    for section, models in printed.items():
        own = encoders[section.removeprefix(SURROGATE)]
        if isinstance(own, Victim):
            rows += AttackSetting(run, documents, own).plan_rows({section: models}, encoders, _lines)
        else:
            rows += [
                skip_row(Place(section, model, figures), encoders[model].here, own.reason)
                for model, figures in models.items()
            ]
    return Plan(rows, study_notes(run, {DATASET: documents}), summarize=_describe_averages)


def _lines(adversary: OpenWorldAdversary) -> Iterator[Line]:
    attacks: dict[str, Attack] = {
        PAPER: SadeVariant(),
        OURS: SadeVariant.build(recipe="vestige"),
        PRIOR: OpenWorldAdversary.mean_importance,
    }
    for by, attack in attacks.items():
        yield measure_line(adversary, by, attack, lambda scores: (scores[5].precision,))


def _describe_averages(rows: Sequence[Row]) -> Iterator[str]:
    """The two margins of the heat map, for either recipe, after those that the thesis prints."""
    yield (
        "Mean Precision@5 in the thesis: as surrogate GPT2 66 and Doc2vec 29; as private encoder GPT2 22, the other "
        "six 57 to 66. It prints no other margin."
    )
    for by in (PAPER, OURS):
        precision = {
            (row.section.removeprefix(SURROGATE), row.model): line.scores[0].value
            for row in rows
            for line in row.lines
            if line.by == by and line.scores[0] is not None
        }
        for side, role in enumerate(("as surrogate", "as private encoder")):
            names = dict.fromkeys(pair[side] for pair in precision)
            means = {
                name: np.mean([value for pair, value in precision.items() if pair[side] == name]) for name in names
            }
            if means:
                listed = ", ".join(f"{name} {100 * mean:.1f}" for name, mean in means.items())
                yield f"Mean Precision@5 {role}, {by}: {listed}."


TABLES = {"figure5.4": Table("Figure 5.4: private encoders and surrogates", COLUMNS, plan)}
