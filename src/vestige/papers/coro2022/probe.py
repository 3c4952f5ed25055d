"""Corò's Table 5.1: how well a linear classifier tells the subject of a text from each representation (4.1.3)."""

from collections.abc import Iterator
from math import prod

from vestige.audit.randomness import stream
from vestige.metrics.macro_f1 import macro_f1
from vestige.papers.coro2022.classes import VERSIONS, Classes, read_classes
from vestige.papers.coro2022.representations import MODELS, Sizes, learned_elsewhere, representations
from vestige.papers.published import published
from vestige.papers.record import PAPER, PRIOR, Findings, Line, Row
from vestige.papers.table import Run
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus
from vestige.types import Score
from vestige.utility.linear_probe import PUBLISHED_GRID, LinearProbe


def table51(run: Run) -> Findings:
    """Macro-F1 on titles, first sentences and whole texts, vectorizers learned from the training texts or elsewhere."""
    classes, printed = read_classes(run), published("coro2022", "table5.1")
    elsewhere = learned_elsewhere(run, run.sizes.probe_columns)
    advance = run.progress("table5.1, rows", len(printed) * len(MODELS))
    rows = []
    for section, models in printed.items():
        by_version = {version: _fitted(run, section, elsewhere, classes.train[version]) for version in VERSIONS}
        for place, known in enumerate(models.values()):
            # Doc2Vec and Sentence-BERT were trained elsewhere; the thesis has no figures for them in the domain.
            asked = any(value is not None for value in known)
            targets = {version: fitted[place] for version, fitted in by_version.items()}
            rows.append(_row(run, section, known, targets, classes, asked=asked))
            advance(1)
    return Findings(tuple(rows), _differs(run.sizes, classes))


def _fitted(run: Run, section: str, elsewhere: list[Victim | Absent], train: Corpus | None) -> list[Victim | Absent]:
    return (
        representations(run, run.sizes.probe_columns, train)
        if section == "In-domain" and train is not None
        else elsewhere
    )


def _row(
    run: Run,
    section: str,
    known: tuple[float | None, ...],
    targets: dict[str, Victim | Absent],
    classes: Classes,
    *,
    asked: bool,
) -> Row:
    target = targets["text"]
    if isinstance(target, Absent):
        return Row(section, target.model, target.here, known, (), f"left out: {target.reason}")
    if not asked:
        return Row(section, target.model, target.here, known, (), "not in the thesis: learned elsewhere")
    return Row(section, target.model, target.here, known, tuple(_lines(run, targets, classes)))


def _lines(run: Run, targets: dict[str, Victim | Absent], classes: Classes) -> Iterator[Line]:
    probed: list[Score | None] = []
    guessed: list[Score | None] = []
    for version, target in targets.items():
        train, test = classes.train[version], classes.test[version]
        if train is None or test is None or isinstance(target, Absent):
            probed, guessed = [*probed, None], [*guessed, None]
            continue
        probe = LinearProbe(grid=run.sizes.grid, jobs=run.sizes.jobs)
        probe.fit(target.vectors(train), classes.train_labels, rng=stream(run.seed, "probe"))
        score = probe.score(
            target.vectors(test), classes.test_labels, rng=stream(run.seed, "bootstrap"), documents=test.documents
        )
        probed.append(score)
        guessed.append(_one_class(run, classes, test))
    yield Line(PAPER, tuple(probed))
    yield Line(PRIOR, tuple(guessed))


def _one_class(run: Run, classes: Classes, test: Corpus) -> Score:
    """The class most frequent in training, said of every text."""
    likeliest = max(sorted(set(classes.train_labels)), key=classes.train_labels.count)
    said = [likeliest] * len(test)
    return macro_f1(said, classes.test_labels, test.documents, stream(run.seed, "bootstrap"))


def _differs(sizes: Sizes, classes: Classes) -> tuple[str, ...]:
    tried, asked = (prod(map(len, grid.values())) for grid in (sizes.grid, PUBLISHED_GRID))
    titles = "" if classes.train["titles"] is not None else " There are no titles here."
    return (
        f"Texts: {classes.name}, {len(set(classes.train_labels))} classes, {len(classes.train_labels):,} texts to "
        f"learn from and {len(classes.test_labels):,} to test (an Italian newspaper, eight classes, 11,200 and 4,800). "
        f"Posts of one thread are on one side; the title is the subject line.{titles}",
        sizes.told(sizes.probe_columns),
        f"The search goes through {tried} of the {asked} settings of the grid.",
    )
