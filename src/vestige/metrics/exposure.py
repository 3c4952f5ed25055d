"""Exposure of a planted secret: how far the model lifts it above the secrets that were not planted (R9)."""

from dataclasses import dataclass
from math import lgamma, log, log2

import numpy as np

from vestige.errors import InputError
from vestige.metrics.clopper_pearson import clopper_pearson
from vestige.metrics.rounding import PLACES, rounded
from vestige.types import Floats, Score


@dataclass(frozen=True, slots=True)
class Exposure:
    """Bits of a guesser's work that the model saves (Carlini et al. 2019; Corò, Definition 3.1.3).

    `bits` has as its baseline the mean exposure of a secret that was never planted, and as `n` how many candidates
    were scored, the secret among them. `provable` is the greatest low end that so many candidates can give: a secret
    above all of them is exposed by at least that much, and nothing more is known. `rank` counts among those scored.
    """

    bits: Score
    rank: int
    space: int
    provable: float


def rank_among(score: float, others: Floats) -> int:
    """The place of the secret among candidates, likeliest first; a candidate with the same score stands before it."""
    if not (np.isfinite(score) and np.isfinite(others).all()):
        raise InputError("a score of a secret or of a candidate is not a finite number; leave it out before ranking")
    return 1 + int(np.count_nonzero(np.asarray(others) >= score))


def exposure(rank: int, *, scored: int, space: int) -> Exposure:
    """log2 of the space less log2 of the rank: exact where `scored` is the whole `space`, an estimate where it is not.

    `scored` counts the secret and the candidates beside it, all different, the candidates drawn at random from the
    space. With a sample, the value is log2(scored) - log2(rank), the share of candidates above the secret taken for
    the share in the space; the interval is Clopper and Pearson's for that share, and keeps to the ranks that those
    already scored leave open. The tail is not extrapolated by a fitted curve.
    """
    if not 1 <= rank <= scored <= space:
        raise InputError(
            f"a rank of {rank} among {scored} scored candidates of a space of {space}; "
            "expected 1 <= rank <= scored <= space, the secret itself counted"
        )
    low, high = _ends(rank, scored, space)
    baseline = log2(scored) - lgamma(scored + 1) / (scored * log(2))
    bits = rounded(log2(scored / rank), low, high, scored, baseline)
    return Exposure(bits, rank, space, round(_ends(1, scored, space)[0], PLACES))


def _ends(rank: int, scored: int, space: int) -> tuple[float, float]:
    """The ends in bits, from the ends of the rank in the whole space."""
    if scored == 1:
        return 0.0, log2(space)
    shares = clopper_pearson(rank - 1, scored - 1)
    best, worst = (1 + float(share) * (space - 1) for share in shares)
    best, worst = max(best, rank), min(worst, space - scored + rank)
    return log2(space) - log2(worst), log2(space) - log2(best)
