"""`vestige check` on 20,000 vectors of 384 dimensions with their texts, and near-duplicates against a peer."""

import time
from collections.abc import Iterator

import numpy as np
from sklearn.neighbors import NearestNeighbors

from bench.harness import compare
from vestige.preflight import VectorSample
from vestige.preflight.duplicates import NEAR, find_near
from vestige.preflight.run import CHECKS
from vestige.text.corpora import load_corpus
from vestige.types import Vectors

ROWS, COLUMNS, TOPICS = 20_000, 384, 1000
PEER_ROWS = 6000
TURNS = 3


def run() -> Iterator[str]:
    sample = _make_sample()
    total = 0.0
    for check in CHECKS:
        start = time.process_time()
        list(check(sample))
        spent = time.process_time() - start
        total += spent
        yield f"{check.__name__}: {spent:.2f} s of one core"
    yield f"all checks without an encoder, {ROWS:,} x {COLUMNS}: {total:.2f} s of one core"
    rows, first = sample.directions[:PEER_ROWS], np.arange(PEER_ROWS)
    yield str(
        compare(
            f"near-duplicates among {PEER_ROWS:,}",
            lambda: find_near(rows, first),
            "NearestNeighbors of scikit-learn",
            lambda: _peer(rows),
            turns=TURNS,
        )
    )


def _peer(rows: Vectors) -> int:
    distances, _ = NearestNeighbors(n_neighbors=2, algorithm="brute", metric="cosine").fit(rows).kneighbors(rows)
    return int((distances[:, 1] <= 1 - NEAR).sum())


def _make_sample() -> VectorSample:
    """Vectors in a thousand clusters, each with a complaint as its text."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(TOPICS, COLUMNS))[rng.integers(TOPICS, size=ROWS)] + rng.normal(size=(ROWS, COLUMNS))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    written = load_corpus("complaints").texts
    texts = [f"{written[row % len(written)]} {row}" for row in range(ROWS)]
    return VectorSample("bench", ROWS, "float32", vectors, texts, {"text": texts})
