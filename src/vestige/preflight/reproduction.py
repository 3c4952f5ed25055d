"""Does the encoder that was named make these vectors of these texts? If not, what else would?"""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.explanation import explained, told_first_columns, told_width
from vestige.preflight.likeness import Likeness, directions
from vestige.preflight.normalisation import check_normalisation
from vestige.preflight.order import moved, told_moved
from vestige.preflight.probing import Probing
from vestige.preflight.result import Check
from vestige.types import Encoder, Vectors

FOUND = 0.9
EXACT = 1 - 1e-5


def check_reproduction(
    specimen: Specimen, probing: Probing, encoder: Encoder, library: Sequence[str]
) -> Iterator[Check]:
    """The same vectors, or the same but for lengths, in another order, made in another way, or by another encoder."""
    made = encoder.encode(probing.texts)
    like = probing.likeness(made)
    if made.shape[1] != specimen.dimension:
        first = made.shape[1] > specimen.dimension and like.holds
        yield told_first_columns(probing, encoder, like) if first else told_width(probing, encoder, library)
        return
    where = moved(made, probing, specimen)
    if where is not None:
        yield told_moved(where, probing)
    if like.holds:
        yield _told_same(encoder, like, probing, astray=where is None)
        yield from check_normalisation(encoder, made, probing)
    elif where is not None:
        yield Check("encoder", "ok", f"'{encoder.name}' made the vectors, though of the texts of other rows.")
    elif probing.kept == "coded" and _recognised(made, probing, specimen) >= FOUND:
        yield _told_coded(specimen, encoder, like)
    else:
        yield explained(probing, encoder, like, library)


def _told_same(encoder: Encoder, like: Likeness, probing: Probing, *, astray: bool) -> Check:
    evidence = {
        "median_cosine": like.median,
        "least_cosine": float(like.cosines.min()),
        "same": float(like.same.mean()),
    }
    said = f"'{encoder.name}' makes the same vectors of the texts: median cosine {like.median:.4f}"
    others = int((~like.same).sum())
    if others and astray:
        return Check(
            "encoder",
            "warning",
            f"{said}, but {others} of {len(like.same)} texts give other vectors than are stored: texts changed since "
            "they were encoded, or some rows were made otherwise.",
            evidence,
        )
    if like.median < EXACT and probing.kept == "float32":
        how = f"(1 less {1 - like.median:.0e}), as where it computed in half precision"
        return Check("encoder", "note", f"{said} {how}.", evidence)
    return Check("encoder", "ok", f"{said} over {len(like.same)} rows.", evidence)


def _told_coded(specimen: Specimen, encoder: Encoder, like: Likeness) -> Check:
    return Check(
        "encoder",
        "note",
        f"'{encoder.name}' made the vectors, as far as can be told: each text has its nearest vector in its own row, "
        f"at a median cosine of {like.median:.3f}; the form {specimen.form} keeps no more.",
        {"median_cosine": like.median},
    )


def _recognised(made: Vectors, probing: Probing, specimen: Specimen) -> float:
    """The share of texts whose nearest vector is that of their own row."""
    best = (directions(made) @ specimen.directions.T).argmax(axis=1)
    return float(np.mean(specimen.sound[best] == np.array(probing.places)))
