"""Figure 5.1 and Table 5.2: SADE, its baselines, and its strategies of query selection (Chen 2023, Chapter 5)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

from vestige.papers.chen2023.adversary import OpenWorldAdversary
from vestige.papers.chen2023.attacks import (
    BASELINES,
    CONSTANT,
    FIVE,
    SADE,
    SADE_QS,
    AdversaryLines,
    Attack,
    AttackSetting,
    SadeVariant,
)
from vestige.papers.chen2023.measured import measure_line, scores_at_five
from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models, load_surrogate
from vestige.papers.chen2023.texts import StudyDocuments, explain_missing, read_documents
from vestige.papers.published import Sections, list_models, published
from vestige.papers.record import OURS, PAPER, PRIOR, Line, Row
from vestige.papers.rows import Place, PlannedRow, RowSelection, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victims

STRATEGIES = (*(f"random, {name}" for name in FIVE), *(f"chosen, {name}" for name in FIVE))


def plan(lines: AdversaryLines, run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """Every section is a data set, and a measure of importance where it names one.

    Data sets of sections that were not asked for are not read: tagging them takes minutes.
    """
    asked = RowSelection((), run.sections)
    datasets = dict.fromkeys(_split(section)[0] for section in printed if asked.includes(Place(section, "", ())))
    documents = {name: read_documents(run, name) for name in datasets if not explain_missing(run, name)}
    rows = _plan_sections(run, printed, documents, lines)
    total = sum(map(len, printed.values()))
    return Plan(rows, study_notes(run, documents), total=total, summarize=describe_printed)


def _plan_sections(
    run: PaperRun[ChenSizes], printed: Sections, documents: Mapping[str, StudyDocuments], lines: AdversaryLines
) -> Iterator[PlannedRow]:
    """The encoders of a data set are loaded when its first row is next; those of one data set are in memory."""

    @lru_cache(maxsize=1)
    def load(dataset: str) -> Victims:
        texts = documents[dataset]
        return load_models(run, list_models(printed), texts.encoded, texts.studied)

    for section, models in printed.items():
        dataset, importance = _split(section)
        if dataset not in documents:
            for model, figures in models.items():
                yield skip_row(Place(section, model, figures), "", str(explain_missing(run, dataset)))
            continue
        texts = documents[dataset]
        setting = AttackSetting(run, texts, load_surrogate(run, SURROGATE, texts.studied), importance or "TF-IDF")
        yield from setting.plan_rows({section: models}, load(dataset), lines)


def _split(section: str) -> tuple[str, str]:
    dataset, _, importance = section.partition(", ")
    return dataset, importance


def against_baselines(adversary: OpenWorldAdversary) -> Iterator[Line]:
    """One line per attack."""
    attacks: dict[str, Attack] = {
        SADE_QS: SadeVariant(),
        SADE: SadeVariant.build(selection="random"),
        **BASELINES,
        OURS: SadeVariant.build(recipe="vestige"),
        PRIOR: OpenWorldAdversary.mean_importance,
        CONSTANT: OpenWorldAdversary.constant_words,
    }
    for by, attack in attacks.items():
        yield measure_line(adversary, by, attack, scores_at_five)


def _both_strategies(adversary: OpenWorldAdversary) -> Iterator[Line]:
    """Random queries, and chosen ones: by Procrustes and k-means in the thesis, by coverage of the pool here."""
    strategies = {
        PAPER: (SadeVariant.build(selection="random"), SadeVariant()),
        OURS: (SadeVariant.build(recipe="vestige", selection="random"), SadeVariant.build(recipe="vestige")),
    }
    for by, variants in strategies.items():
        yield join_lines([measure_line(adversary, by, variant, scores_at_five) for variant in variants])
    for by, attack in ((PRIOR, OpenWorldAdversary.mean_importance), (CONSTANT, OpenWorldAdversary.constant_words)):
        yield Line(by, 2 * scores_at_five(adversary.score(attack(adversary))))


def join_lines(parts: Sequence[Line]) -> Line:
    """One line with the columns of several."""
    return Line(
        parts[0].by,
        tuple(score for part in parts for score in part.scores),
        tuple(log for part in parts for log in part.logs),
        sum(part.seconds or 0 for part in parts),
    )


def describe_printed(_rows: Sequence[Row]) -> Iterator[str]:
    """What the thesis prints for other lines than that of SADE with query selection."""
    random = published("chen2023", "table5.2")["20 News"]["SBERT"][:2]
    mlp = published("chen2023", "table5.4")["MLP"]["SBERT"][:2]
    yield (
        "Printed in the thesis, SBERT on 20 News by TF-IDF, Precision@5 / NDCG@5: SADE with random queries "
        f"{random[0]} / {random[1]}, MLP {mlp[0]} / {mlp[1]}, PLD, the best baseline, 39 / 13. On average over all "
        "cells: SADE with query selection 48 / 36, PLD 33 / 25. All other bars of the figure have no values."
    )


TABLES = {
    "figure5.1": Table("Figure 5.1: SADE and its baselines", FIVE, partial(plan, against_baselines)),
    "table5.2": Table("Table 5.2: queries at random and chosen", STRATEGIES, partial(plan, _both_strategies)),
}
