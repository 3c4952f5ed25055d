"""Examples of inversions (Corò 2022, Tables 5.3, 5.5 and A.1), with the scores over all targets next to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from vestige.case.randomness import stream
from vestige.papers.coro2022.attacks import RECIPES, SCORE_COLUMNS, InversionTask, make_task
from vestige.papers.coro2022.notes import inversion_notes, representation_notes
from vestige.papers.coro2022.setup import CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.texts import read_split
from vestige.papers.published import Sections
from vestige.papers.record import PRIOR, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.scores import TargetWords, Words, score_by_text
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import build_line
from vestige.papers.victims import Victim

SECTION = "In-domain"
MASK = "•••"


@dataclass(frozen=True)
class ExampleKind:
    """What is inverted, sentences or paragraphs, how many examples are shown, and whether an end is learned."""

    unit: str
    shown: int
    end_token: bool = False


KINDS = {
    "table5.3": ExampleKind("sentences", 8),
    "table5.5": ExampleKind("paragraphs", 1),
    "tableA.1": ExampleKind("sentences", 8, end_token=True),
}


def plan(kind: ExampleKind, run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """The inverter in the domain, trained on texts of the same kind as it inverts."""
    split, study = read_split(run), load_public_corpus(run)
    texts = [getattr(side, kind.unit) for side in (split.in_domain, split.test)]
    targets = load_representations(run, printed[SECTION], texts, study, run.sizes.columns)
    rows = plan_rows(printed, targets, split, partial(_lines, make_task(run, split, SECTION), kind))
    notes = representation_notes(run, study, targets, run.sizes.columns) + inversion_notes(run.sizes, split)
    return Plan(rows, (*notes, *_example_notes(kind)))


def _lines(task: InversionTask, kind: ExampleKind, target: Victim) -> Iterator[Line | str]:
    pairs, test = getattr(task.training, kind.unit), getattr(task.test, kind.unit)
    truth = task.truth(test)
    chosen = stream(task.run.seed, "samples").permutation(len(test))[: kind.shown].tolist()
    for by, recipe in RECIPES.items():
        settings = {"end_token": True} if kind.end_token and recipe != "default" else {}
        fitted = task.fit(target, recipe, pairs, **settings)
        guessed = task.infer(fitted, target, test)
        yield build_line(by, score_by_text(guessed, truth), [fitted])
        yield from describe_examples(by, guessed, truth, chosen)
    yield Line(PRIOR, score_by_text(task.prior(pairs, len(test)), truth))


def describe_examples(by: str, guessed: Sequence[Words], truth: TargetWords, chosen: Sequence[int]) -> Iterator[str]:
    """What was recovered of single texts: the words that were hit by name, the others counted or masked."""
    for number, row in enumerate(chosen, 1):
        hit, missed = guessed[row] & truth.words[row], truth.words[row] - guessed[row]
        wrong = len(guessed[row] - truth.words[row])
        found, masked = ", ".join(sorted(hit)) or "nothing", " ".join([MASK] * len(missed)) or "none"
        yield f"Text {number}, {by}: recovered {found}; {wrong} wrong; missed {masked}"


def _example_notes(kind: ExampleKind) -> tuple[str, ...]:
    ended = ("The end of a text is among the words to be learned, as in Appendix A.1.",) if kind.end_token else ()
    return (
        *ended,
        "The thesis prints examples; the figures here are averages over all targets, next to those that it prints for "
        "the same inverter.",
        f"Samples: {kind.shown} of the {kind.unit} under attack, drawn at random. A word that was recovered is "
        "named; one that was missed is masked, and one that is wrong is counted.",
    )


def _build(name: str, title: str) -> Table[CoroSizes]:
    return Table(title, SCORE_COLUMNS, partial(plan, KINDS[name]))


TABLES = {
    "table5.3": _build("table5.3", "Table 5.3: examples of inverted sentences"),
    "table5.5": _build("table5.5", "Table 5.5: an example of an inverted paragraph"),
    "tableA.1": _build("tableA.1", "Table A.1: inversion of sentences with an end to predict"),
}
