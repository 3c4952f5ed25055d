"""Intervals that know that texts of one document are not independent."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.metrics.proportion import proportion
from vestige.metrics.rounding import rounded
from vestige.types import Floats, Score

DRAWS = 2000
LEVEL = 0.95
FEWEST_DOCUMENTS = 10


def document_mean(
    values: npt.ArrayLike,
    documents: Sequence[str],
    rng: np.random.Generator,
    *,
    weights: npt.ArrayLike | None = None,
    baseline: float | None = None,
    among: int = 1,
    signed: bool = False,
) -> Score:
    """The mean of `values`, with the interval of a bootstrap that draws whole documents.

    `weights` makes it a weighted mean, which is how a ratio of counts is scored: values hit/held, weights held. The
    same generator state draws the same documents whatever the values, so that differences are paired. The percentiles
    are widened about the mean as Student's t asks for so few documents, since percentiles alone are too narrow then.
    Values that are all 0, or all 1, have the exact interval of a proportion, a document counting once. `among` is how
    many such means this one was chosen from; the interval is widened for that (Bonferroni). Differences of such values
    are `signed`: they reach as far below 0 as above it, and so does the interval of differences that are all 0.
    """
    value = np.asarray(values, dtype=np.float64)
    weight = np.ones_like(value) if weights is None else np.asarray(weights, dtype=np.float64)
    totals, sizes = _by_document(np.column_stack([value * weight, weight]), documents).T
    counted = int(np.count_nonzero(sizes))
    drawn = _draw(len(sizes), counted, rng)
    weighed = drawn @ sizes
    means = (drawn @ totals)[weighed > 0] / weighed[weighed > 0]
    mean = totals.sum() / sizes.sum()
    least, most = value[weight > 0].min(), value[weight > 0].max()
    farthest = max(abs(least), abs(most))
    bounds = (-farthest, farthest) if signed else (least, most)
    if least == most and least in ((-1, 0, 1) if signed else (0, 1)):
        low, high = _all_alike(int(least), counted, among, signed=signed)
    else:
        low, high = np.clip(_ends(mean, means, counted, among), *bounds)
    return rounded(mean, low, high, int(np.count_nonzero(weight)), baseline)


def _all_alike(value: int, documents: int, among: int, *, signed: bool) -> tuple[float, float]:
    """Nothing but hits, or nothing but misses: drawing again shows no spread, but so few documents prove no certainty.

    The exact interval of a proportion leaves a share unseen, a document counting once, and this may lie anywhere
    between the ends of what a value can be.
    """
    unseen, least = proportion(0, documents, among=among).high, -1 if signed else 0
    return value - unseen * (value - least), value + unseen * (1 - value)


def document_share(
    parts: npt.ArrayLike,
    documents: Sequence[str],
    rng: np.random.Generator,
    statistic: Callable[[Floats], Floats],
    *,
    baseline: float | None = None,
) -> Score:
    """A share from 0 to 1 that is a function of sums over the texts, and no mean: macro-F1, or the F1 of two means.

    `parts` has a row a text; `statistic` takes the sums of its columns, a row a draw, and gives a value a draw.
    Documents are drawn, and the interval widened, as `document_mean` does it.
    """
    sums = _by_document(np.asarray(parts, dtype=np.float64), documents)
    drawn = _draw(len(sums), len(sums), rng)
    value = statistic(sums.sum(axis=0)[None])[0]
    low, high = np.clip(_ends(value, statistic(drawn @ sums), len(sums)), 0, 1)
    return rounded(value, low, high, len(documents), baseline)


def _by_document(parts: Floats, documents: Sequence[str]) -> Floats:
    """The sums of each column over each document, a row a document."""
    names, owner = np.unique(np.asarray(documents, dtype=np.str_), return_inverse=True)
    return np.stack(
        [np.bincount(owner, weights=column, minlength=len(names)).astype(np.float64) for column in parts.T], axis=1
    )


def _draw(documents: int, counted: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """How often each document was drawn, a row a draw."""
    if counted < FEWEST_DOCUMENTS:
        raise InputError(
            f"{counted} documents are too few for an interval; expected at least {FEWEST_DOCUMENTS}; give more"
        )
    return rng.multinomial(documents, np.full(documents, 1 / documents), size=DRAWS)


def _ends(value: float, drawn: Floats, documents: int, among: int = 1) -> Floats:
    tail = 1 - (1 - LEVEL) / (2 * among)
    quantiles: Floats = np.quantile(drawn, [1 - tail, tail])
    return value + _widening(documents, tail) * (quantiles - value)


def _widening(documents: int, tail: float) -> float:
    from scipy.stats import norm, t

    return float(t.ppf(tail, documents - 1) / norm.ppf(tail) * np.sqrt(documents / (documents - 1)))
