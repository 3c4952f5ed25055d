"""Figure 5.1: inversion of sentences by the amount of training data (Corò 2022, Section 5.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from vestige.papers.coro2022.attacks import RECIPES, SCORE_COLUMNS, InversionTask, make_task
from vestige.papers.coro2022.notes import EPOCHS, inversion_notes, representation_notes
from vestige.papers.coro2022.setup import CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.texts import read_split
from vestige.papers.published import Sections
from vestige.papers.record import PRIOR, Line, Plot
from vestige.papers.rows import MeasuredRow, Place, draw_curves, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.scores import score_by_text
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import build_line
from vestige.papers.victims import Victim

SECTION = "In-domain"


def plan(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """From few training sentences to all of them, with twice the epochs."""
    run = replace(run, sizes=double_epochs(run.sizes))
    split, study = read_split(run), load_public_corpus(run)
    models, texts = printed[SECTION], [split.in_domain.sentences, split.test.sentences]
    targets = load_representations(run, models, texts, study, run.sizes.columns)
    most = len(split.in_domain.sentences)
    task = make_task(run, split, SECTION)
    rows = []
    for model, target in targets.items():
        for step in (*(step for step in run.sizes.steps if step < most), most):
            figures = models[model] if step == most else (None,) * len(SCORE_COLUMNS)
            place = Place(SECTION, f"{model}, {step:,} sentences", figures, step)
            rows.append(plan_row(place, target, split, partial(_lines, task, step)))
    representations = representation_notes(run, study, targets, run.sizes.columns)
    notes = (*representations, *inversion_notes(run.sizes, split), *_amount_notes())
    return Plan(rows, notes, plots=partial(_plots, list(targets)))


def double_epochs(sizes: CoroSizes) -> CoroSizes:
    """The same sizes with twice the epochs, as the thesis trains for its figure."""
    return replace(sizes, epochs=2 * (sizes.epochs or EPOCHS))


def _lines(task: InversionTask, step: int, target: Victim) -> Iterator[Line]:
    test, truth = task.test.sentences, task.truth(task.test.sentences)
    pairs = task.training.sentences
    for by, recipe in RECIPES.items():
        fitted = task.fit(target, recipe, pairs, first=step)
        yield build_line(by, score_by_text(task.infer(fitted, target, test), truth), [fitted])
    yield Line(PRIOR, score_by_text(task.prior(pairs, len(test), step), truth))


def _plots(models: Sequence[str], measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    for model in models:
        of_model = [one for one in measured if one.place.model.startswith(f"{model}, ")]
        if curves := draw_curves(of_model, SCORE_COLUMNS.index("F1")):
            yield Plot(f"F1 by size of the training data, {model}", "training sentences", "F1", curves)


def _amount_notes() -> tuple[str, ...]:
    """How Figure 5.1 differs from the thesis."""
    return (
        "For its figure the thesis trains twice as long, up to 200 epochs, and so does this run. It prints no values; "
        "the published ones, at the right end, are those of Table 5.2.",
        "The words that count are those of all training data for every size. A word that is not in the part of the "
        "data that is used cannot be learned from it, and counts as missed.",
    )


TABLES = {
    "figure5.1": Table("Figure 5.1: performance against the amount of training data", SCORE_COLUMNS, plan),
}
