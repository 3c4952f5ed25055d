"""Tables 5.2 and A.2: inversion of single sentences (Corò 2022, Section 5.2 and Appendix A.2)."""

from collections.abc import Iterator
from functools import partial

from vestige.papers.coro2022.attacks import (
    ALL_RECIPES,
    RECIPES,
    SCORE_COLUMNS,
    InversionTask,
    MakeTask,
    make_task,
    plan_inversion,
)
from vestige.papers.coro2022.notes import inversion_notes, representation_notes
from vestige.papers.coro2022.setup import MODELS, CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.texts import read_split
from vestige.papers.published import Sections
from vestige.papers.record import PRIOR, Line
from vestige.papers.run import PaperRun
from vestige.papers.scores import score_by_text_and_rarity
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import build_line
from vestige.papers.victims import Victim

COLUMNS = (*SCORE_COLUMNS, *(f"{name}, rare words more" for name in SCORE_COLUMNS))


def plan(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """In the domain and across domains, with and without more weight on rare words."""
    return _plan(run, printed, make_task)


def plan_own_vocabulary(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """Across domains, counting every word of the inverter's vocabulary (Appendix A.2)."""
    return _plan(run, printed, partial(make_task, own_vocabulary=True))


def _plan(run: PaperRun[CoroSizes], printed: Sections, make: MakeTask) -> Plan:
    split, study = read_split(run), load_public_corpus(run)
    targets = load_representations(run, MODELS, split.sentences, study, run.sizes.columns)
    notes = representation_notes(run, study, targets, run.sizes.columns) + inversion_notes(run.sizes, split)
    return Plan(plan_inversion(run, printed, split, targets, _lines, make), notes)


def _lines(task: InversionTask, _model: str, target: Victim) -> Iterator[Line]:
    test, truth = task.test.sentences, task.truth(task.test.sentences)
    recipes = ALL_RECIPES if task.run.sizes.listed else RECIPES
    for by, recipe in recipes.items():
        fitted = task.fit(target, recipe, task.training.sentences)
        yield build_line(by, score_by_text_and_rarity(task.infer(fitted, target, test), truth), [fitted])
    yield Line(PRIOR, score_by_text_and_rarity(task.prior(task.training.sentences, len(test)), truth))


TABLES = {
    "table5.2": Table("Table 5.2: inversion of vectorized sentences", COLUMNS, plan),
    "tableA.2": Table(
        "Table A.2: inversion of sentences across domains, all words of the vocabulary", COLUMNS, plan_own_vocabulary
    ),
}
