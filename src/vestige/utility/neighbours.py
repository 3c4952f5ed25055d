"""Does search still work? Nearest neighbours among defended vectors compared with those among the original ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.metrics.intervals import document_mean
from vestige.types import Floats, Integers, Score, Singles, Vectors

Metric = Literal["cosine", "dot", "euclidean"]
METRICS = get_args(Metric)

_CELLS = 4_000_000
"""Cosines in memory at a time, for each of the two tables."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """`recall` is the share of the k nearest that stay so; `correlation` is Spearman's of the cosines."""

    recall: Score
    correlation: Score


def neighbourhood(
    vectors: Vectors,
    defended: Vectors,
    *,
    rng: np.random.Generator,
    k: int = 10,
    queries: int = 1000,
    documents: Sequence[str] | None = None,
    defended_queries: Vectors | None = None,
    metric: Metric = "cosine",
) -> Neighbourhood:
    """Search for randomly drawn rows among all others, by cosine, before and after the defense.

    `metric` is how defended queries are compared with defended rows, if not by cosine.

    The two tables have one row per text and may differ in columns. `defended_queries` are the same rows as a search
    query is defended, in the columns of `defended`; without them, the defended rows are the queries too. Among equal
    cosines the earlier row is the nearer.
    Intervals are over the queries, or over their `documents`. The baselines are those of a search without vectors: k of
    all rows, and no correlation.
    """
    _check(vectors, defended, k, queries)
    if defended_queries is not None and defended_queries.shape != defended.shape:
        raise InputError(
            f"defended queries of shape {defended_queries.shape}, but a defended table of {defended.shape}; expected "
            "one query per row, treated by the same defense"
        )
    if documents is not None and len(documents) != len(vectors):
        raise InputError(f"{len(vectors)} vectors but {len(documents)} documents; give one document per vector")
    queried = np.sort(rng.permutation(len(vectors))[:queries])
    asked = defended if defended_queries is None else defended_queries
    tables = [(_unit(vectors), _unit(vectors)), _prepare(asked, defended, metric)]
    found = np.vstack([_agreement(before, after, k) for before, after in _cosines(tables, queried)])
    owners = [str(row) for row in queried] if documents is None else [documents[row] for row in queried]
    seed = int(rng.integers(2**63))
    recall, correlation = (
        document_mean(column, owners, np.random.default_rng(seed), baseline=baseline)
        for column, baseline in zip(found.T, (k / (len(vectors) - 1), 0.0), strict=True)
    )
    return Neighbourhood(recall, correlation)


def _cosines(tables: Sequence[tuple[Singles, Singles]], queried: Integers) -> Iterator[tuple[Singles, Singles]]:
    """For some queries at a time, their cosines with every other row; each table comes with its rows as queries."""
    size = len(tables[0][1])
    for rows in np.array_split(queried, -(-len(queried) * size // _CELLS)):
        not_self = np.ones((len(rows), size), np.bool_)
        not_self[np.arange(len(rows)), rows] = False
        before, after = ((asked[rows] @ table.T)[not_self].reshape(len(rows), size - 1) for asked, table in tables)
        yield before, after


def _agreement(before: Singles, after: Singles, k: int) -> Floats:
    """Per query the recall of the k nearest, and the rank correlation."""
    places = np.arange(len(before))[:, None]
    near = np.zeros((2, *before.shape), np.bool_)
    for table, cosines in zip(near, (before, after), strict=True):
        table[places, _nearest(cosines, k)] = True
    ranks = [_standardised_ranks(cosines) for cosines in (before, after)]
    return np.stack([near.all(axis=0).sum(axis=1) / k, (ranks[0] * ranks[1]).mean(axis=1)], axis=1)


def _nearest(cosines: Singles, k: int) -> Integers:
    return np.argsort(-cosines, axis=1, kind="stable")[:, :k]


def _standardised_ranks(cosines: Singles) -> Floats:
    """Equal cosines share the mean of their ranks; zeros if all are equal and there is nothing to correlate."""
    from scipy.stats import rankdata

    ranks: Floats = rankdata(cosines, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    spread = ranks.std(axis=1, keepdims=True)
    return ranks / np.where(spread > 0, spread, 1)


def _prepare(queries: Vectors, rows: Vectors, metric: Metric) -> tuple[Singles, Singles]:
    """Queries and rows whose products order the rows as the metric does."""
    asked, table = np.asarray(queries, np.float32), np.asarray(rows, np.float32)
    if metric == "cosine":
        return _unit(asked), _unit(table)
    if metric == "dot":
        return asked, table
    squares = np.square(table, dtype=np.float64).sum(axis=1)
    around = np.asarray((squares.mean() - squares) / 2, np.float32)  # Around their mean, for the precision of float32.
    return np.column_stack([asked, np.ones(len(asked), np.float32)]), np.column_stack([table, around])


def _unit(vectors: npt.ArrayLike) -> Singles:
    table = np.asarray(vectors, np.float32)
    units: Singles = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return units


def _check(vectors: Vectors, defended: Vectors, k: int, queries: int) -> None:
    if len(vectors) != len(defended):
        raise InputError(f"{len(vectors)} vectors but {len(defended)} defended ones; expected one per text, in order")
    if not np.isfinite(vectors).all() or not np.isfinite(defended).all():
        raise InputError("some vectors contain NaN or infinite values; drop those from both tables")
    if not 1 <= k < len(vectors) - 1:
        raise InputError(
            f"The 'k' parameter must be from 1 to {len(vectors) - 2} among {len(vectors)} vectors. Got {k}."
        )
    if queries < 1:
        raise InputError(f"The 'queries' parameter must be at least 1. Got {queries} instead.")
