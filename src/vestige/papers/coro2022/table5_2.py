"""Table 5.2: inversion of single sentences (Corò 2022, Section 5.2)."""

from collections.abc import Iterator

from vestige.papers.coro2022.attacks import RECIPES, SCORE_COLUMNS, InversionTask, plan_inversion
from vestige.papers.coro2022.notes import inversion_notes, representation_notes
from vestige.papers.coro2022.setup import MODELS, CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.texts import read_split
from vestige.papers.published import Sections
from vestige.papers.record import PRIOR, Line
from vestige.papers.run import PaperRun
from vestige.papers.scores import score_by_text_and_rarity
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim

COLUMNS = (*SCORE_COLUMNS, *(f"{name}, rare words more" for name in SCORE_COLUMNS))


def plan(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """In the domain and across domains, with and without more weight on rare words."""
    split, study = read_split(run), load_public_corpus(run)
    targets = load_representations(run, MODELS, split.sentences, study, run.sizes.columns)
    notes = representation_notes(run, study, targets, run.sizes.columns) + inversion_notes(run.sizes, split)
    return Plan(plan_inversion(run, printed, split, targets, _lines), notes)


def _lines(task: InversionTask, _model: str, target: Victim) -> Iterator[Line]:
    test, truth = task.test.sentences, task.truth(task.test.sentences)
    for by, recipe in RECIPES.items():
        fitted = task.fit(target, recipe, task.training.sentences)
        yield Line(by, score_by_text_and_rarity(task.infer(fitted, target, test), truth))
    yield Line(PRIOR, score_by_text_and_rarity(task.prior(task.training.sentences, len(test)), truth))


TABLES = {"table5.2": Table("Table 5.2: inversion of vectorized sentences", COLUMNS, plan)}
