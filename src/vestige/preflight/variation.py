"""How the vectors vary: dimensions that are constant, and directions that crowd into a narrow cone."""

from collections.abc import Iterator

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check
from vestige.types import Vectors

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
    constant = _find_constant(vectors)
    zero = int((vectors[:, constant] == 0).all(axis=0).sum())
    evidence = {"constant": len(constant), "zero": zero, "share": len(constant) / vectors.shape[1]}
    if not len(constant):
        yield Check("columns", "ok", "Every dimension varies.", evidence)
        return
    shown = ", ".join(map(str, constant[:SHOWN])) + (" ..." if len(constant) > SHOWN else "")
    sparse = float(np.mean(vectors[:1000] == 0)) > SPARSE
    yield Check(
        "columns",
        "warning" if evidence["share"] >= MANY_CONSTANT and not sparse else "note",
        f"{len(constant):,} of {vectors.shape[1]:,} dimensions are the same in every vector ({zero:,} of them zero): "
        f"{shown}. {'This is normal for vectors that count words.' if sparse else CAUSE}",
        evidence,
    )


def check_spread(sample: VectorSample) -> Iterator[Check]:
    """The mean cosine of two vectors, and the effective number of dimensions."""
    rows = sample.directions
    if len(rows) < FEWEST:
        return
    cosine, effective = mean_cosine(rows), effective_dimension(rows)
    evidence = {"mean_cosine": cosine, "effective_dimension": effective}
    figures = f"The mean cosine of two vectors is {cosine:z.2f}, and their effective dimension is {effective:.0f}."
    if cosine > COLLAPSED or effective < FLAT:
        problem = "The vectors hardly differ: check how they were made."
        yield Check("spread", "warning", f"{figures} {problem}", evidence)
    elif cosine > NARROW:
        problem = "The vectors are in a narrow cone, so a high cosine alone says little about two texts."
        yield Check("spread", "note", f"{figures} {problem}", evidence)
    else:
        yield Check("spread", "ok", figures, evidence)


def mean_cosine(directions: Vectors) -> float:
    """The mean over all pairs of different rows of unit length, computed from the length of their sum."""
    n = len(directions)
    total = directions.sum(axis=0, dtype=np.float64)
    return float((total @ total - n) / (n * (n - 1)))


def effective_dimension(directions: Vectors) -> float:
    """The participation ratio (sum of eigenvalues)^2 / (sum of squared eigenvalues) of the covariance.

    It is the number of directions of equal variance that would vary as much.
    """
    centred = directions - directions.mean(axis=0)
    gram = centred.T @ centred if centred.shape[1] <= len(centred) else centred @ centred.T
    squares = float((gram.astype(np.float64) ** 2).sum())
    return float(np.trace(gram, dtype=np.float64) ** 2 / squares) if squares else 0.0


def _find_constant(vectors: Vectors) -> np.typing.NDArray[np.intp]:
    spread = vectors.std(axis=0)
    if not spread.any():
        return np.arange(0)
    return np.flatnonzero(spread <= CONSTANT * np.median(spread[spread > 0], axis=None))
