"""Does search find what belongs together? How often the nearest texts contain one of the same document."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS, document_mean
from vestige.types import Floats, Score, Singles, Vectors

_CELLS = 4_000_000
"""Cosines in memory at a time."""


def score_same_document(
    vectors: Vectors, documents: Sequence[str], *, rng: np.random.Generator, k: int = 10, queries: int = 1000
) -> Score | None:
    """The share of texts with another text of their document among their `k` nearest by cosine.

    At most `queries` texts are drawn, none of which is the only one of its document. The baseline is the share that k
    random texts would reach. None if fewer than ten documents have two texts.
    """
    if not 1 <= k < len(vectors):
        raise InputError(f"The 'k' parameter must be from 1 to {len(vectors) - 1}. Got {k} instead.")
    sizes = Counter(documents)
    eligible = np.array([row for row, name in enumerate(documents) if sizes[name] > 1], np.int64)
    queried = np.sort(rng.permutation(eligible)[:queries])
    if len({documents[row] for row in queried}) < FEWEST_DOCUMENTS:
        return None
    hits = _find_hits(_scale(vectors), np.unique(documents, return_inverse=True)[1], queried, k)
    owners = [documents[row] for row in queried]
    siblings = np.array([sizes[name] - 1 for name in owners])
    baseline = float(_share_by_chance(siblings, len(vectors) - 1, k).mean())
    return document_mean(hits, owners, rng, baseline=baseline)


def _scale(vectors: Vectors) -> Singles:
    table = np.asarray(vectors, np.float32)
    unit: Singles = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return unit


def _find_hits(unit: Singles, owners: np.ndarray, queried: np.ndarray, k: int) -> Floats:
    hits = []
    for rows in np.array_split(queried, -(-len(queried) * len(unit) // _CELLS)):
        cosines = unit[rows] @ unit.T
        cosines[np.arange(len(rows)), rows] = -np.inf
        nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
        hits.append((owners[nearest] == owners[rows][:, None]).any(axis=1))
    return np.concatenate(hits).astype(np.float64)


def _share_by_chance(siblings: np.ndarray, others: int, k: int) -> Floats:
    """The probability that k of the other texts, drawn without replacement, contain a sibling."""
    from scipy.stats import hypergeom

    share: Floats = 1 - hypergeom.pmf(0, others, siblings, k)
    return share
