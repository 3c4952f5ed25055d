"""Figure 5.1 and Table 5.2: SADE, its baselines, and its strategies of query selection (Chen 2023, Chapter 5)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

from vestige.papers.chen2023.attacks import (
    BASELINES,
    FIVE,
    SADE,
    SADE_QS,
    AdversaryLines,
    AttackSetting,
    OpenWorldAdversary,
    scores_at_five,
)
from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models, load_surrogate
from vestige.papers.chen2023.texts import StudyDocuments, explain_missing, read_documents
from vestige.papers.published import Sections, list_models
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.rows import Place, PlannedRow, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victims

STRATEGIES = (*(f"random, {name}" for name in FIVE), *(f"chosen, {name}" for name in FIVE))


def plan(lines: AdversaryLines, run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """Every section is a data set, and a measure of importance where it names one."""
    datasets = dict.fromkeys(_split(section)[0] for section in printed)
    documents = {name: read_documents(run, name) for name in datasets if not explain_missing(run, name)}
    rows = _plan_sections(run, printed, documents, lines)
    return Plan(rows, study_notes(run, documents), total=sum(map(len, printed.values())))


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
    yield Line(SADE_QS, scores_at_five(adversary.score(adversary.sade())))
    yield Line(SADE, scores_at_five(adversary.score(adversary.sade(selection="random"))))
    for name, attack in BASELINES.items():
        yield Line(name, scores_at_five(adversary.score(attack(adversary))))
    yield Line(OURS, scores_at_five(adversary.score(adversary.sade(recipe="vestige"))))
    yield Line(PRIOR, scores_at_five(adversary.score(adversary.mean_importance())))


def _both_strategies(adversary: OpenWorldAdversary) -> Iterator[Line]:
    """Random queries, and chosen ones: by Procrustes and k-means in the thesis, by coverage of the pool here."""
    for by, recipe, chosen in ((PAPER, "chen", "procrustes"), (OURS, "vestige", "coverage")):
        attacks = [adversary.sade(recipe=recipe, selection=selection) for selection in ("random", chosen)]
        yield Line(by, tuple(score for attack in attacks for score in scores_at_five(adversary.score(attack))))
    yield Line(PRIOR, 2 * scores_at_five(adversary.score(adversary.mean_importance())))


TABLES = {
    "figure5.1": Table("Figure 5.1: SADE and its baselines", FIVE, partial(plan, against_baselines)),
    "table5.2": Table("Table 5.2: queries at random and chosen", STRATEGIES, partial(plan, _both_strategies)),
}
