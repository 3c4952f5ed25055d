"""Dimensions that say nothing, since they are the same in every vector."""

from collections.abc import Iterator

import numpy as np

from vestige.audit.preflight.record import Check
from vestige.audit.preflight.specimen import Specimen

STILL = 1e-6
SPARSE = 0.5
FEWEST = 20
SHOWN = 5


def check_columns(specimen: Specimen) -> Iterator[Check]:
    """Constant columns; counts of words, which are mostly zeros, may have many."""
    vectors = specimen.vectors[specimen.sound]
    if len(vectors) < FEWEST:
        return
    spread = vectors.std(axis=0)
    still = np.flatnonzero(spread <= STILL * np.median(spread[spread > 0], axis=None)) if spread.any() else np.arange(0)
    zero = int((vectors[:, still] == 0).all(axis=0).sum())
    evidence = {"constant": len(still), "zero": zero, "share": len(still) / vectors.shape[1]}
    if not len(still):
        yield Check("columns", "ok", "Every dimension varies.", evidence)
        return
    shown = ", ".join(map(str, still[:SHOWN])) + (" ..." if len(still) > SHOWN else "")
    sparse = float(np.mean(vectors[:1000] == 0)) > SPARSE
    yield Check(
        "columns",
        "note" if sparse else "warning",
        f"{len(still):,} of {vectors.shape[1]:,} dimensions are the same in every vector ({zero:,} of them zero): "
        f"{shown}. {'Vectors that count words are like that.' if sparse else 'They were padded, cut or overwritten.'}",
        evidence,
    )
