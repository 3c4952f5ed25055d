"""Figure 9: vectors of different encoders form clusters, the more so behind a network (Pan et al. 2020, Appendix D)."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from vestige.attacks.fingerprint.verdict import EncoderClassifier
from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean
from vestige.papers.pan2020.attacks import exact_score
from vestige.papers.pan2020.fingerprint import read_sentences
from vestige.papers.pan2020.notes import model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.published import Sections, list_models
from vestige.papers.record import PRIOR, Line
from vestige.papers.rows import Place, PlannedRow, plan_row, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus
from vestige.types import Floats, Integers

COLUMNS = ("vectors", "hidden layer")
NEAREST = "nearest vector of another sentence is of the same encoder"


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """One row per encoder, among those with the same number of columns."""
    taught, tested = read_sentences(run)
    targets = load_models(run, list_models(printed), [taught, tested])
    rows = [
        _plan_row(run, Place(section, model, figures), targets, (taught, tested))
        for section, models in printed.items()
        for model, figures in models.items()
    ]
    return Plan(rows, (*model_notes(run, targets), *_cluster_notes(taught, tested)))


def _plan_row(run: PaperRun[PanSizes], place: Place, targets: Victims, texts: tuple[Corpus, Corpus]) -> PlannedRow:
    target = targets[place.model]
    if isinstance(target, Victim):
        library = [one for one in targets.values() if isinstance(one, Victim)]
        alike = [one for one in library if one.encoder.dimension == target.encoder.dimension]
        if len(alike) < 2:
            return skip_row(place, target.here, f"no other encoder here has {target.encoder.dimension} columns")
        known = (*texts, [one.encoder.identity for one in alike])
        return plan_row(place, target, known, partial(_lines, run, alike, texts))
    return skip_row(place, target.here, target.reason)


def _lines(
    run: PaperRun[PanSizes], alike: Sequence[Victim], texts: tuple[Corpus, Corpus], target: Victim
) -> Iterator[Line]:
    taught, tested = texts
    made = {one.model: one.vectors(taught) for one in alike}
    classifier = EncoderClassifier(made, stream(run.seed, "attack"))
    vectors = np.concatenate([one.vectors(tested) for one in alike])
    owners, sentences = np.repeat(np.arange(len(alike)), len(tested)), np.tile(np.arange(len(tested)), len(alike))
    own = owners == alike.index(target)
    scores = []
    for places in (vectors.astype(np.float64), classifier.hidden(vectors)):
        same = owners[find_nearest(places, sentences)[own]] == alike.index(target)
        scores.append(document_mean(same.astype(np.float64), tested.documents, stream(run.seed, "bootstrap")))
    assert classifier.log is not None
    yield Line(NEAREST, tuple(scores), (classifier.log,))
    yield Line(PRIOR, (exact_score(1 / len(alike), len(tested)),) * len(COLUMNS))


def find_nearest(places: Floats, sentences: Integers) -> Integers:
    """For each row, the row at the smallest distance among those of other sentences."""
    lengths = np.square(places).sum(axis=1)
    apart = lengths[:, None] + lengths - 2 * places @ places.T
    apart[sentences[:, None] == sentences] = np.inf
    return np.asarray(apart.argmin(axis=1))


def _cluster_notes(taught: Corpus, tested: Corpus) -> tuple[str, ...]:
    """How Figure 9 differs from the paper."""
    return (
        f"The paper draws 1,000 sentences of five encoders; here {len(tested):,} of '{tested.name}', and a number in "
        "the place of the drawing: how often the nearest vector, of any encoder with as many columns, is of the same "
        "encoder. Vectors of the same sentence do not count. Guessing takes any of the encoders.",
        f"The network of the fingerprint learns from {len(taught):,} sentences of '{taught.name}'; its hidden layer is "
        "the second column.",
    )


TABLES = {"figure9": Table("Figure 9: clusters of encoders", COLUMNS, plan)}
