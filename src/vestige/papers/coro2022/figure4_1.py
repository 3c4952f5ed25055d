"""Figure 4.1: maps of the test texts by t-SNE, and how well they keep the classes apart (Corò 2022, Section 4.1.2)."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean
from vestige.papers.coro2022.notes import representation_notes
from vestige.papers.coro2022.setup import CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.table5_1 import ClassifiedTexts, read_classes
from vestige.papers.published import Sections
from vestige.papers.record import CLOSED_FORM, PAPER, PRIOR, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.types import Floats, Vectors

COLUMNS = ("same class among ten neighbours, on the map", "same class among ten neighbours, by the vectors")
NEIGHBOURS = 10
PERPLEXITY = 30.0


def plan(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """One row per representation; vectorizers learn from public text."""
    texts, study = read_classes(run), load_public_corpus(run)
    models = [model for rows in printed.values() for model in rows]
    targets = load_representations(run, models, [texts.test["text"]], study, run.sizes.probe_columns)
    rows = plan_rows(printed, targets, texts, partial(_lines, run, texts))
    notes = representation_notes(run, study, targets, run.sizes.probe_columns)
    return Plan(rows, (*notes, *_map_notes(texts)))


def _lines(run: PaperRun[CoroSizes], texts: ClassifiedTexts, target: Victim) -> Iterator[Line]:
    test, labels = texts.test["text"], texts.test_labels
    vectors = target.vectors(test)
    shares = [share_same_class(table, labels) for table in (draw_map(vectors, run.seed), vectors)]
    scores = [document_mean(share, test.documents, stream(run.seed, "bootstrap")) for share in shares]
    yield Line(PAPER, tuple(scores), (CLOSED_FORM,))
    chance = np.array([(labels.count(label) - 1) / max(len(labels) - 1, 1) for label in labels])
    yield Line(PRIOR, (document_mean(chance, test.documents, stream(run.seed, "bootstrap")),) * len(COLUMNS))


def draw_map(vectors: Vectors, seed: int) -> Floats:
    """Two coordinates per vector, by t-SNE."""
    from sklearn.manifold import TSNE

    # t-SNE needs fewer neighbours than there are points.
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    drawn = TSNE(perplexity=perplexity, random_state=seed, init="pca").fit_transform(np.asarray(vectors, np.float64))
    return np.asarray(drawn, np.float64)


def share_same_class(table: Floats | Vectors, labels: Sequence[str]) -> Floats:
    """For each row, the share of its ten nearest rows that have its class."""
    from sklearn.neighbors import NearestNeighbors

    count = min(NEIGHBOURS, len(labels) - 1)
    nearest = NearestNeighbors(n_neighbors=count).fit(table).kneighbors(return_distance=False)
    classes = np.array(labels)
    return np.asarray((classes[nearest] == classes[:, None]).mean(axis=1), np.float64)


def _map_notes(texts: ClassifiedTexts) -> tuple[str, ...]:
    return (
        f"Texts: '{texts.name}', {len(set(texts.test_labels))} classes, {len(texts.test_labels):,} whole texts.",
        "The thesis draws the maps and says nothing of t-SNE's settings; here those of scikit-learn, started from the "
        "first two principal components. Instead of a drawing there are two figures: how many of the ten nearest texts "
        "have the class of a text, on the map and by the vectors themselves.",
    )


TABLES = {"figure4.1": Table("Figure 4.1: maps of texts by t-SNE", COLUMNS, plan)}
