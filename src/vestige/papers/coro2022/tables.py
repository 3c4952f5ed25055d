"""Corò, Privacy Leakage Analysis of Text Representations, Padova 2022: Tables 5.1, 5.2, 5.4, Figure 5.1 (R1 to R5, R7).

What is kept: six representations fitted on a corpus from elsewhere; one domain attacked with text of its own and of the
others; sentences of 8 to 40 words, paragraphs of 128 to 168; the words of the attacker's vocabulary alone counting, and
across domains those of both vocabularies; averages over texts; the settings of the inverter.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from vestige.papers.coro2022.contest import Contest, contest
from vestige.papers.coro2022.probe import table51
from vestige.papers.coro2022.representations import MODELS, Sizes, learned_elsewhere
from vestige.papers.coro2022.texts import Sides, read_sides
from vestige.papers.curves import curves_of
from vestige.papers.published import Columns, published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line, Plot, Row
from vestige.papers.scores import by_text, by_text_and_rarity
from vestige.papers.table import Paper, Run, Table
from vestige.papers.victims import Absent, Victim
from vestige.utility.linear_probe import ONE_PATIENCE

RECIPES = {PAPER: "coro", OURS: "default"}


def table52(run: Run) -> Findings:
    """Inversion of single sentences."""
    sides = read_sides(run)

    def lines(here: Contest, target: Victim, _starred: bool) -> Iterator[Line]:
        test, truth = here.test.sentences, here.truth(here.test.sentences)
        for by, recipe in RECIPES.items():
            fitted = here.inverter(target, recipe, here.training.sentences)
            yield Line(by, by_text_and_rarity(here.guessed(fitted, target, test), truth))
        yield Line(PRIOR, by_text_and_rarity(here.prior(here.training.sentences, len(test)), truth))

    return Findings(tuple(_rows(run, sides, "table5.2", lines)), _differs(run, sides))


def table54(run: Run) -> Findings:
    """Inversion of paragraphs, from the vector of each and from the vectors of its sentences."""
    sides = read_sides(run)

    def lines(here: Contest, target: Victim, starred: bool) -> Iterator[Line]:
        test, truth = here.test, here.truth(here.test.paragraphs)
        pairs = here.training.paragraphs if starred else here.training.sentences
        for by, recipe in RECIPES.items():
            fitted = here.inverter(target, recipe, pairs)
            whole = here.guessed(fitted, target, test.paragraphs)
            parts = test.united(here.guessed(fitted, target, test.sentences))
            yield Line(by, by_text(whole, truth) + by_text(parts, truth))
        yield Line(PRIOR, 2 * by_text(here.prior(here.training.paragraphs, len(test.paragraphs)), truth))

    return Findings(tuple(_rows(run, sides, "table5.4", lines)), _differs(run, sides))


def figure51(run: Run) -> Findings:
    """Inversion of single sentences against the number of sentences to learn from."""
    sides, rows = read_sides(run), []
    printed = published("coro2022", "figure5.1")["In-domain"]
    victims = [target for target in learned_elsewhere(run, run.sizes.columns) if target.model in printed]
    steps = [step for step in run.sizes.steps if step < len(sides.in_domain.sentences)]
    advance = run.progress("figure5.1, points", len(victims) * (len(steps) + 1))
    for target in victims:
        for step in [*steps, len(sides.in_domain.sentences)]:
            whole = step == len(sides.in_domain.sentences)
            label, known = f"{target.model}, {step:,} sentences", printed[target.model] if whole else (None,) * 3
            rows.append(_row("In-domain", label, target, known, _learned_from(run, sides, target, step)))
            advance(1)
    differs = (*_differs(run, sides), "Whatever the size of the training data, the same words count.")
    return Findings(tuple(rows), differs, tuple(_plots(rows)))


def _learned_from(run: Run, sides: Sides, target: Victim | Absent, step: int) -> Iterator[Line]:
    if isinstance(target, Absent):
        return
    here = contest(run, sides, "In-domain")
    test, truth = here.test.sentences, here.truth(here.test.sentences)
    pairs = here.training.sentences
    for by, recipe in RECIPES.items():
        yield Line(by, by_text(here.guessed(here.inverter(target, recipe, pairs, step), target, test), truth))
    yield Line(PRIOR, by_text(here.prior(pairs, len(test), step), truth))


def _rows(run: Run, sides: Sides, table: str, lines: Any) -> Iterator[Row]:
    printed = published("coro2022", table)
    victims = {target.model: target for target in learned_elsewhere(run, run.sizes.columns)}
    advance = run.progress(f"{table}, rows", sum(map(len, printed.values())))
    for section, models in printed.items():
        here = contest(run, sides, section)
        for model, known in models.items():
            target = victims[model.rstrip("*")]
            found = () if isinstance(target, Absent) else lines(here, target, model.endswith("*"))
            yield _row(section, model, target, known, found)
            advance(1)


def _row(section: str, model: str, target: Victim | Absent, known: Columns, lines: Any) -> Row:
    note = f"left out: {target.reason}" if isinstance(target, Absent) else ""
    return Row(section, model, target.here, known, tuple(lines), note)


def _plots(rows: Sequence[Row]) -> Iterator[Plot]:
    for model in dict.fromkeys(row.model.partition(",")[0] for row in rows if row.lines):
        measured = [row for row in rows if row.model.startswith(f"{model},")]
        places = [(float(row.model.split()[-2].replace(",", "")), "", row.lines) for row in measured]
        yield Plot(f"F1 by size of the training data, {model}", "training sentences", "F1", curves_of(places, 2))


def _differs(run: Run, sides: Sides) -> tuple[str, ...]:
    sizes: Sizes = run.sizes
    return (
        f"Texts: {sides.domain} is the domain under attack and the other groups are the cross-domain side, in English, "
        "in place of the Economy pages and the rest of an Italian newspaper. Quoted lines and sentences met before are "
        "left out, so that no text is on two sides.",
        f"Sizes: {len(sides.in_domain.sentences):,} sentences to learn from in the domain (166,377 in the thesis), "
        f"{len(sides.cross_domain.sentences):,} across (849,692), {len(sides.test.sentences):,} to test "
        f"({len(sides.test.paragraphs):,} paragraphs; 71,398 sentences).",
        sizes.told(sizes.columns),
        f"The inverter by the thesis' recipe trains at most {sizes.epochs} epochs (100 in the thesis, 200 in "
        f"Figure 5.1); the vocabulary has at most {sizes.vocabulary:,} words (20,000).",
    )


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
        "figure5.1": Table("Figure 5.1: performance against the amount of training data", THREE, figure51),
    },
    SCALES,
    MODELS,
)
