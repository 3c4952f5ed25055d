"""Were vectors brought to unit length, where the encoder does not, or not, where it does?"""

from collections.abc import Iterator

import numpy as np

from vestige.preflight.lengths import is_unit
from vestige.preflight.probing import Probing
from vestige.preflight.result import Check
from vestige.types import Encoder, Vectors

STEADY = 1e-2


def check_normalisation(encoder: Encoder, made: Vectors, probing: Probing) -> Iterator[Check]:
    """Vectors of the same directions; are their lengths the same too?"""
    if probing.kept not in ("float32", "float16"):
        return
    ours, theirs = np.linalg.norm(made, axis=1), np.linalg.norm(probing.stored, axis=1)
    ratios = theirs / np.maximum(ours, 1e-12)
    middle = float(np.median(ratios))
    evidence = {"ratio": middle, "spread": float(ratios.std() / middle)}
    if abs(middle - 1) <= STEADY and evidence["spread"] <= STEADY:
        yield Check("normalisation", "ok", f"The lengths are those that '{encoder.name}' gives.", evidence)
    elif is_unit(theirs):
        sentence = (
            f"'{encoder.name}' gives lengths around {np.median(ours):.3g}; these were brought to unit length since."
        )
        yield Check("normalisation", "note", sentence, evidence)
    else:
        unit = (
            "brings vectors to unit length, and these were not" if is_unit(ours) else "gives other lengths than these"
        )
        steady = f": each is {middle:.3g} times as long" if evidence["spread"] <= STEADY else ""
        yield Check(
            "normalisation",
            "warning",
            f"'{encoder.name}' {unit}{steady}. The directions are the same; search by inner product will differ.",
            evidence,
        )
