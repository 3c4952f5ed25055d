"""Exposure of planted secrets: how far a model ranks them above secrets that were not planted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log, log2

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import PLACES, clopper_pearson, document_mean, make_score
from vestige.types import Floats, Score

ALIKE = 0.1


@dataclass(frozen=True, slots=True)
class Exposure:
    """Bits of guessing work that the model saves (Carlini et al. 2019; Corò 2022, Definition 3.1.3).

    The baseline of `bits` is the mean exposure of a secret that was never planted; its `n` is the number of scored
    candidates, including the secret. `provable` is the greatest low end that this many candidates can give: a secret
    ranked above all of them is exposed by at least that much, and nothing more is known. `rank` is the rank among the
    scored candidates.
    """

    bits: Score
    rank: int
    space: int
    provable: float


def rank_among(score: float, others: Floats) -> int:
    """The rank of the secret among candidates, the likeliest first; a candidate with the same score ranks before it."""
    if not (np.isfinite(score) and np.isfinite(others).all()):
        raise InputError("a score of a secret or of a candidate is not a finite number; drop it before ranking")
    return 1 + int(np.count_nonzero(np.asarray(others) >= score))


def exposure(rank: int, *, scored: int, space: int) -> Exposure:
    """log2(space) - log2(rank): exact if the whole `space` is scored, an estimate otherwise.

    `scored` counts the secret and the other candidates, all different, which are drawn at random from the space. From a
    sample the value is log2(scored) - log2(rank): the share of candidates above the secret estimates the share in the
    space. The interval is Clopper and Pearson's for that share, restricted to the ranks that the scored candidates
    leave possible. The tail is not extrapolated by a fitted curve.
    """
    if not 1 <= rank <= scored <= space:
        raise InputError(
            f"a rank of {rank} among {scored} scored candidates of a space of {space}; "
            "expected 1 <= rank <= scored <= space, the secret itself counted"
        )
    low, high = _ends(rank, scored, space)
    baseline = log2(scored) - lgamma(scored + 1) / (scored * log(2))
    bits = make_score(log2(scored / rank), low, high, scored, baseline)
    return Exposure(bits, rank, space, round(_ends(1, scored, space)[0], PLACES))


def mean_exposure(exposures: Sequence[Exposure], rng: np.random.Generator) -> Score:
    """The mean in bits over secrets of one kind, all ranked among equally many candidates of one space.

    The low end is that of a bootstrap over the secrets' low ends, the high end that of one over their high ends, so
    that the error of scoring a sample of the space is in both. Secrets that agree to a tenth of a bit show no spread
    when drawn again: then the share of secrets that may differ, as for a proportion, counts as 0 bits in the low end
    and as the maximum in the high end.
    """
    values, lows, highs = np.array([(each.bits.value, each.bits.low, each.bits.high) for each in exposures]).T
    if np.ptp(values) < ALIKE:
        unseen = float(clopper_pearson(0, len(values))[1])
        low, high = (1 - unseen) * lows.mean(), (1 - unseen) * highs.mean() + unseen * log2(exposures[0].space)
    else:
        names = [str(row) for row in range(len(values))]
        low, high = document_mean(lows, names, rng).low, document_mean(highs, names, rng).high
    return make_score(values.mean(), low, high, len(values), exposures[0].bits.baseline)


def _ends(rank: int, scored: int, space: int) -> tuple[float, float]:
    """The ends in bits, from the ends of the rank in the whole space."""
    if scored == 1:
        return 0.0, log2(space)
    shares = clopper_pearson(rank - 1, scored - 1)
    best, worst = (1 + float(share) * (space - 1) for share in shares)
    best, worst = max(best, rank), min(worst, space - scored + rank)
    return log2(space) - log2(worst), log2(space) - log2(best)
