"""How the vectors vary: dimensions that are constant, and directions that crowd into a narrow cone."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check
from vestige.types import Floats, Vectors

FEWEST = 20
"""Fewer vectors than this say nothing about variation."""

CONSTANT = 1e-6
"""A column is constant if its standard deviation is below this share of the median over the columns that vary."""

SPARSE = 0.5
MANY_CONSTANT = 0.05
SHOWN = 5
CAUSE = (
    "A few can come from the encoder (all-MiniLM-L6-v2 has three); many mean that vectors were padded or overwritten."
)

COLLAPSED, NARROW = 0.99, 0.5
FLAT = 2.0


def check_columns(sample: VectorSample) -> Iterator[Check]:
    """Constant columns. An encoder may have a few; word-count vectors, which are mostly zeros, have many."""
    vectors = sample.vectors[sample.valid]
    if len(vectors) < FEWEST:
        return
    constant = find_constant(vectors.std(axis=0))
    zero = int((vectors[:, constant] == 0).all(axis=0).sum())
    yield describe_columns(constant, zero, vectors.shape[1], sparse=float(np.mean(vectors[:1000] == 0)) > SPARSE)


def describe_columns(constant: npt.NDArray[np.intp], zero: int, columns: int, *, sparse: bool) -> Check:
    """The check of constant columns, of which `zero` are zero; `sparse` if most values are."""
    evidence = {"constant": len(constant), "zero": zero, "share": len(constant) / columns}
    if not len(constant):
        return Check("columns", "ok", "Every dimension varies.", evidence)
    shown = ", ".join(map(str, constant[:SHOWN])) + (" ..." if len(constant) > SHOWN else "")
    return Check(
        "columns",
        "warning" if evidence["share"] >= MANY_CONSTANT and not sparse else "note",
        f"{len(constant):,} of {columns:,} dimensions are the same in every vector ({zero:,} of them zero): "
        f"{shown}. {'This is normal for vectors that count words.' if sparse else CAUSE}",
        evidence,
    )


def check_spread(sample: VectorSample) -> Iterator[Check]:
    """The mean cosine of two vectors, and the effective number of dimensions."""
    rows = sample.directions
    if len(rows) < FEWEST:
        return
    yield describe_spread(mean_cosine(rows), effective_dimension(rows))


def describe_spread(cosine: float, effective: float) -> Check:
    """The check of the mean cosine and the effective dimension."""
    evidence = {"mean_cosine": cosine, "effective_dimension": effective}
    figures = f"The mean cosine of two vectors is {cosine:z.2f}, and their effective dimension is {effective:.0f}."
    if cosine > COLLAPSED or effective < FLAT:
        problem = "The vectors hardly differ: check how they were made."
        return Check("spread", "warning", f"{figures} {problem}", evidence)
    if cosine > NARROW:
        problem = "The vectors are in a narrow cone, so a high cosine alone says little about two texts."
        return Check("spread", "note", f"{figures} {problem}", evidence)
    return Check("spread", "ok", figures, evidence)


def mean_cosine(directions: Vectors) -> float:
    """The mean over all pairs of different rows of unit length."""
    return mean_cosine_of_sum(len(directions), directions.sum(axis=0, dtype=np.float64))


def mean_cosine_of_sum(n: int, total: Floats) -> float:
    """The mean over all pairs of `n` rows of unit length, computed from the length of their sum."""
    return float((total @ total - n) / (n * (n - 1)))


def effective_dimension(directions: Vectors) -> float:
    """The participation ratio (sum of eigenvalues)^2 / (sum of squared eigenvalues) of the covariance.

    It is the number of directions of equal variance that would vary as much.
    """
    centred = directions - directions.mean(axis=0)
    gram = centred.T @ centred if centred.shape[1] <= len(centred) else centred @ centred.T
    squares = float((gram.astype(np.float64) ** 2).sum())
    return float(np.trace(gram, dtype=np.float64) ** 2 / squares) if squares else 0.0


def find_constant(spread: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.intp]:
    """The columns that do not vary, by the standard deviation of each."""
    if not spread.any():
        return np.arange(0)
    return np.flatnonzero(spread <= CONSTANT * np.median(spread[spread > 0], axis=None))
