"""How the directions are spread: all over, or in a narrow cone."""

from collections.abc import Iterator

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.result import Check
from vestige.types import Vectors

COLLAPSED, NARROW = 0.99, 0.5
FLAT = 2.0
FEWEST = 20


def check_spread(specimen: Specimen) -> Iterator[Check]:
    """The mean cosine of two vectors, and over how many dimensions they vary."""
    rows = specimen.directions
    if len(rows) < FEWEST:
        return
    cosine, effective = mean_cosine(rows), effective_dimension(rows)
    evidence = {"mean_cosine": cosine, "effective_dimension": effective}
    said = f"Two vectors have a cosine of {cosine:z.2f} on average, and vary over {effective:.0f} dimensions in effect."
    if cosine > COLLAPSED or effective < FLAT:
        yield Check(
            "spread", "warning", f"{said} They say next to nothing apart: look at how they were made.", evidence
        )
    elif cosine > NARROW:
        yield Check(
            "spread",
            "note",
            f"{said} They lie in a narrow cone, so that a high cosine alone says little about two texts.",
            evidence,
        )
    else:
        yield Check("spread", "ok", said, evidence)


def mean_cosine(directions: Vectors) -> float:
    """Over all pairs of different rows, from the length of their sum."""
    n = len(directions)
    total = directions.sum(axis=0, dtype=np.float64)
    return float((total @ total - n) / (n * (n - 1)))


def effective_dimension(directions: Vectors) -> float:
    """The participation ratio: how many directions of equal variance would vary as much, (sum of l)^2 / sum of l^2."""
    centred = directions - directions.mean(axis=0)
    gram = centred.T @ centred if centred.shape[1] <= len(centred) else centred @ centred.T
    squares = float((gram.astype(np.float64) ** 2).sum())
    return float(np.trace(gram, dtype=np.float64) ** 2 / squares) if squares else 0.0
