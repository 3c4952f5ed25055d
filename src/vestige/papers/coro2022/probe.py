"""Corò's Table 5.1: how well a linear classifier tells the subject of a text from each representation (4.1.3)."""

from collections.abc import Iterator

from vestige.case.randomness import stream
from vestige.metrics.macro_f1 import macro_f1
from vestige.papers.coro2022.classes import VERSIONS, Classes, read_classes
from vestige.papers.coro2022.differs import differs, probe_differs
from vestige.papers.coro2022.representations import Sizes, elsewhere, representations
from vestige.papers.published import published
from vestige.papers.record import PAPER, PRIOR, Findings, Line, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus
from vestige.types import Score
from vestige.utility.linear_probe import LinearProbe

UNKNOWN = (None,) * len(VERSIONS)

Targets = dict[str, dict[str, Victim | Absent]]


def table51(run: Run[Sizes]) -> Findings:
    """Macro-F1 on titles, first sentences and whole texts, vectorizers learned from the training texts or elsewhere."""
    classes, study = read_classes(run), elsewhere(run)
    printed = published("coro2022", "table5.1")
    advance = run.progress("table5.1, rows", sum(map(len, printed.values())))
    rows: list[Row] = []
    used: dict[str, Victim | Absent] = {}
    for section, models in printed.items():
        targets = _targets(run, section, [model for model, known in models.items() if known != UNKNOWN], classes, study)
        for model, known in models.items():
            rows.append(_row(run, Place("table5.1", section, model, known), targets, classes))
            advance(1)
        used |= targets["text"]
    told = differs(run, study, list(used.values()), run.sizes.probe_columns)
    return Findings(tuple(rows), told + probe_differs(run.sizes, classes))


def _targets(run: Run[Sizes], section: str, asked: list[str], classes: Classes, study: Corpus) -> Targets:
    """By version of the texts and by model; in-domain, what learns does so from the training texts of the version."""

    def learned_from(corpus: Corpus) -> dict[str, Victim | Absent]:
        found = representations(run, asked, classes.encoded, corpus, run.sizes.probe_columns)
        return {target.model: target for target in found}

    if section == "In-domain":
        return {version: learned_from(train) for version, train in classes.train.items()}
    return dict.fromkeys(classes.train, learned_from(study))


def _row(run: Run[Sizes], place: Place, targets: Targets, classes: Classes) -> Row:
    whole = targets["text"].get(place.model)
    if whole is None:
        # Doc2Vec and Sentence-BERT were trained elsewhere; the thesis has no figures for them in the domain.
        return Row(place.section, place.model, "-", place.known, (), "not in the thesis: learned elsewhere")
    by_version = {version: found[place.model] for version, found in targets.items()}
    return row_of(run, place, whole, classes, lambda _whole: _lines(run, by_version, classes))


def _lines(run: Run[Sizes], targets: dict[str, Victim | Absent], classes: Classes) -> Iterator[Line]:
    probed: dict[str, Score] = {}
    guessed: dict[str, Score] = {}
    for version, target in targets.items():
        assert isinstance(target, Victim)
        train, test = classes.train[version], classes.test[version]
        probe = LinearProbe(grid=run.sizes.grid, jobs=run.sizes.jobs)
        probe.fit(target.vectors(train), classes.train_labels, rng=stream(run.seed, "probe"))
        probed[version] = probe.score(
            target.vectors(test), classes.test_labels, rng=stream(run.seed, "bootstrap"), documents=test.documents
        )
        guessed[version] = _one_class(run, classes, test)
    yield Line(PAPER, tuple(map(probed.get, VERSIONS)))
    yield Line(PRIOR, tuple(map(guessed.get, VERSIONS)))


def _one_class(run: Run[Sizes], classes: Classes, test: Corpus) -> Score:
    """The class most frequent in training, said of every text."""
    likeliest = max(sorted(set(classes.train_labels)), key=classes.train_labels.count)
    said = [likeliest] * len(test)
    return macro_f1(said, classes.test_labels, test.documents, stream(run.seed, "bootstrap"))
