"""Corò, Privacy Leakage Analysis of Text Representations, Padova 2022: Tables 5.1 to 5.7, Figure 5.1 (R1 to R7).

What is kept: six representations fitted on a corpus from elsewhere; one domain attacked with text of its own and of the
others; sentences of 8 to 40 words, paragraphs of 128 to 168; the words of the attacker's vocabulary alone counting, and
across domains those of both vocabularies; averages over texts; the settings of the inverter.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from vestige.papers.coro2022 import names
from vestige.papers.coro2022.contest import Contest, Recipe, contest
from vestige.papers.coro2022.differs import amounts_differ, differs, inversion_differs, paragraphs_differ
from vestige.papers.coro2022.probe import table51
from vestige.papers.coro2022.representations import MODELS, Sizes, elsewhere, representations
from vestige.papers.coro2022.texts import Sides, read_sides
from vestige.papers.curves import Measured, curves_of
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line, Plot, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.scores import by_text, by_text_and_rarity
from vestige.papers.table import Paper, Table
from vestige.papers.victims import Absent, Victim
from vestige.utility.linear_probe import ONE_PATIENCE

RECIPES: dict[str, Recipe] = {PAPER: "coro", OURS: "default"}


def table52(run: Run[Sizes]) -> Findings:
    """Inversion of single sentences."""
    sides, study = read_sides(run), elsewhere(run)
    targets = representations(run, MODELS, sides.sentences, study, run.sizes.columns)
    rows = tuple(_rows(run, "table5.2", sides, targets, _of_sentences))
    return Findings(rows, differs(run, study, targets, run.sizes.columns) + inversion_differs(run.sizes, sides))


def table54(run: Run[Sizes]) -> Findings:
    """Inversion of paragraphs, from the vector of each and from the vectors of its sentences."""
    sides, study = read_sides(run), elsewhere(run)
    targets = representations(run, MODELS, [*sides.sentences, *sides.paragraphs], study, run.sizes.columns)
    rows = tuple(_rows(run, "table5.4", sides, targets, _of_paragraphs))
    told = (
        differs(run, study, targets, run.sizes.columns)
        + inversion_differs(run.sizes, sides)
        + paragraphs_differ(run.sizes, sides)
    )
    return Findings(rows, told)


def figure51(run: Run[Sizes]) -> Findings:
    """Inversion of single sentences against the number of sentences to learn from."""
    sides, study = read_sides(run), elsewhere(run)
    printed = published("coro2022", "figure5.1")["In-domain"]
    targets = representations(run, printed, [sides.in_domain.sentences, sides.test.sentences], study, run.sizes.columns)
    most = len(sides.in_domain.sentences)
    steps = [*(step for step in run.sizes.steps if step < most), most]
    advance = run.progress("figure5.1, points", len(targets) * len(steps))
    by_model: dict[str, list[Measured]] = {}
    for target in targets:
        for step in steps:
            known = printed[target.model] if step == most else (None,) * len(THREE)
            place = Place("figure5.1", "In-domain", f"{target.model}, {step:,} sentences", known)
            row = row_of(run, place, target, sides, partial(_learned_from, contest(run, sides, "In-domain"), step))
            by_model.setdefault(target.model, []).append(Measured(step, "", row))
            advance(1)
    rows = tuple(one.row for measured in by_model.values() for one in measured)
    told = differs(run, study, targets, run.sizes.columns) + inversion_differs(run.sizes, sides) + amounts_differ()
    return Findings(rows, told, tuple(_plots(by_model)))


def _of_sentences(here: Contest, _starred: bool, target: Victim) -> Iterator[Line]:
    test, truth = here.test.sentences, here.truth(here.test.sentences)
    for by, recipe in RECIPES.items():
        fitted = here.inverter(target, recipe, here.training.sentences)
        yield Line(by, by_text_and_rarity(here.guessed(fitted, target, test), truth))
    yield Line(PRIOR, by_text_and_rarity(here.prior(here.training.sentences, len(test)), truth))


def _of_paragraphs(here: Contest, starred: bool, target: Victim) -> Iterator[Line]:
    test, truth = here.test, here.truth(here.test.paragraphs)
    pairs = here.training.paragraphs if starred else here.training.sentences
    for by, recipe in RECIPES.items():
        fitted = here.inverter(target, recipe, pairs)
        whole = here.guessed(fitted, target, test.paragraphs, here.training.paragraphs)
        parts = test.united(here.guessed(fitted, target, test.sentences, here.training.sentences))
        yield Line(by, by_text(whole, truth) + by_text(parts, truth))
    yield Line(PRIOR, 2 * by_text(here.prior(here.training.paragraphs, len(test.paragraphs)), truth))


def _learned_from(here: Contest, step: int, target: Victim) -> Iterator[Line]:
    test, truth = here.test.sentences, here.truth(here.test.sentences)
    pairs = here.training.sentences
    for by, recipe in RECIPES.items():
        yield Line(by, by_text(here.guessed(here.inverter(target, recipe, pairs, step), target, test), truth))
    yield Line(PRIOR, by_text(here.prior(pairs, len(test), step), truth))


def _rows(
    run: Run[Sizes],
    table: str,
    sides: Sides,
    targets: Sequence[Victim | Absent],
    lines: Callable[[Contest, bool, Victim], Iterator[Line]],
) -> Iterator[Row]:
    printed = published("coro2022", table)
    by_model = {target.model: target for target in targets}
    advance = run.progress(f"{table}, rows", sum(map(len, printed.values())))
    for section, models in printed.items():
        here = contest(run, sides, section)
        for model, known in models.items():
            place = Place(table, section, model, known)
            # A star: the inverter learned from paragraphs.
            made = partial(lines, here, model.endswith("*"))
            yield row_of(run, place, by_model[model.rstrip("*")], sides, made)
            advance(1)


def _plots(by_model: dict[str, list[Measured]]) -> Iterator[Plot]:
    for model, measured in by_model.items():
        if curves := curves_of(measured, THREE.index("F1")):
            yield Plot(f"F1 by size of the training data, {model}", "training sentences", "F1", curves)


THREE = ("precision", "recall", "F1")
SIX = (*THREE, *(f"{name}, rare words more" for name in THREE))
TWICE = tuple(f"{name}, {given}" for given in ("paragraph", "its sentences") for name in THREE)

SCALES = {
    "small": Sizes(
        train=1000,
        cross=1000,
        targets=400,
        columns=1024,
        directions=200,
        vocabulary=2000,
        epochs=5,
        steps=(250, 500),
        per_class=60,
        named=3000,
        naming=30,
    ),
    "full": Sizes(
        train=6000,
        cross=10_000,
        targets=2000,
        columns=4096,
        directions=1000,
        vocabulary=5000,
        epochs=10,
        steps=(500, 1000, 2000, 4000),
        per_class=600,
        named=20_000,
        naming=100,
        grid=ONE_PATIENCE,
    ),
}

CORO = Paper(
    "coro2022",
    "Luca Corò, Privacy Leakage Analysis of Text Representations for Natural Language Processing, University of Padova "
    "2022",
    {
        "table5.1": Table(
            "Table 5.1: text classification benchmark, macro-F1", ("titles", "sentences", "text"), table51
        ),
        "table5.2": Table("Table 5.2: inversion of vectorized sentences", SIX, table52),
        "table5.4": Table("Table 5.4: inversion of vectorized paragraphs", TWICE, table54),
        "table5.6": Table("Table 5.6: names recovered, put in for one another", names.COLUMNS, names.table56),
        "table5.7": Table("Table 5.7: names recovered, put in from another domain", names.COLUMNS, names.table57),
        "figure5.1": Table("Figure 5.1: performance against the amount of training data", THREE, figure51),
    },
    SCALES,
    MODELS,
)
