"""Table 5.4: inversion of paragraphs, from one vector or from those of their sentences (Corò 2022, Section 5.2)."""

from collections.abc import Iterator

from vestige.papers.coro2022.attacks import RECIPES, SCORE_COLUMNS, InversionTask, plan_inversion
from vestige.papers.coro2022.notes import EPOCHS, describe_updates, inversion_notes, representation_notes
from vestige.papers.coro2022.setup import MODELS, CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.texts import DomainSplit, read_split
from vestige.papers.published import Sections
from vestige.papers.record import PRIOR, Line
from vestige.papers.run import PaperRun
from vestige.papers.scores import score_by_text
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import build_line
from vestige.papers.victims import Victim

COLUMNS = tuple(f"{name}, {vectors}" for vectors in ("paragraph", "its sentences") for name in SCORE_COLUMNS)


def plan(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """In the domain and across domains; the inverters of rows with a star learn from paragraphs."""
    split, study = read_split(run), load_public_corpus(run)
    targets = load_representations(run, MODELS, [*split.sentences, *split.paragraphs], study, run.sizes.columns)
    notes = (
        *representation_notes(run, study, targets, run.sizes.columns),
        *inversion_notes(run.sizes, split),
        *paragraph_notes(run.sizes, split),
    )
    return Plan(plan_inversion(run, printed, split, targets, _lines), notes)


def _lines(task: InversionTask, model: str, target: Victim) -> Iterator[Line]:
    test, truth = task.test, task.truth(task.test.paragraphs)
    pairs = task.training.paragraphs if model.endswith("*") else task.training.sentences
    for by, recipe in RECIPES.items():
        fitted = task.fit(target, recipe, pairs)
        whole = task.infer(fitted, target, test.paragraphs, task.training.paragraphs)
        parts = test.merge_sentences(task.infer(fitted, target, test.sentences, task.training.sentences))
        yield build_line(by, score_by_text(whole, truth) + score_by_text(parts, truth), [fitted])
    yield Line(PRIOR, 2 * score_by_text(task.prior(task.training.paragraphs, len(test.paragraphs)), truth))


def paragraph_notes(sizes: CoroSizes, split: DomainSplit) -> tuple[str, ...]:
    """How Table 5.4 differs from the thesis."""
    inside, across = len(split.in_domain.paragraphs), len(split.cross_domain.paragraphs)
    epochs = sizes.epochs or EPOCHS
    return (
        "The thesis does not state the number of steps L for this table. Here the inverter by its recipe takes as many "
        "as the training paragraphs, or the training sentences when sentences are inverted, have words of its "
        "vocabulary on average.",
        f"Rows with a star learn from {inside:,} paragraphs in the domain and {across:,} across, with "
        f"{describe_updates(inside, epochs)} and {describe_updates(across, epochs)} updates at most.",
    )


TABLES = {"table5.4": Table("Table 5.4: inversion of vectorized paragraphs", COLUMNS, plan)}
