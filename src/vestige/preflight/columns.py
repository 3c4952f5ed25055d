"""Dimensions that say nothing, since they are the same in every vector."""

from collections.abc import Iterator

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.result import Check

STILL = 1e-6
SPARSE = 0.5
MANY = 0.05
FEWEST = 20
SHOWN = 5
CAUSE = (
    "A few may be the encoder's own, as all-MiniLM-L6-v2 has three; many say that vectors were padded or overwritten."
)


def check_columns(specimen: Specimen) -> Iterator[Check]:
    """Constant columns; an encoder may have a few, and counts of words, which are mostly zeros, many."""
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
        "warning" if evidence["share"] >= MANY and not sparse else "note",
        f"{len(still):,} of {vectors.shape[1]:,} dimensions are the same in every vector ({zero:,} of them zero): "
        f"{shown}. {'Vectors that count words are like that.' if sparse else CAUSE}",
        evidence,
    )
