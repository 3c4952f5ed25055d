"""Scores with their intervals: means over documents, shares, proportions, and means over runs.

Texts of one document are not independent, so intervals count documents, not texts.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Flags, Floats, Integers, Score

PLACES = 6
LEVEL = 0.95
TAIL = 0.025
DRAWS = 2000
MORE_DRAWS = 5
"""So many times as many draws for an interval that is one of several: its ends are farther out."""

FEWEST_DOCUMENTS = 10
FEWEST_RUNS = 3
FEWEST_DIFFERING = 6
"""With so many differences, all of one sign, a sign test rejects chance at 5%: 2 / 2**6 < 0.05 < 2 / 2**5."""


def make_score(value: float, low: float, high: float, n: int, baseline: float | None = None) -> Score:
    """A score rounded to six places, so that decisions use the numbers that are written down."""
    value, low, high = (round(float(part), PLACES) for part in (value, low, high))
    return Score(value, low, high, n, None if baseline is None else round(float(baseline), PLACES))


def clopper_pearson(hits: npt.ArrayLike, n: npt.ArrayLike, tail: float = TAIL) -> tuple[Floats, Floats]:
    """The exact ends of a proportion, each violated with probability `tail` at most (Clopper and Pearson 1934).

    Accepts arrays. `hits` and `n` need not be whole numbers, since dependent rows count for less than one each.
    """
    from scipy.stats import beta

    hit = np.asarray(hits, dtype=np.float64)
    missed = np.asarray(n, dtype=np.float64) - hit
    low = np.where(hit > 0, beta.ppf(tail, np.where(hit > 0, hit, 1), missed + 1), 0.0)
    high = np.where(missed > 0, beta.isf(tail, hit + 1, np.where(missed > 0, missed, 1)), 1.0)
    return low, high


def proportion(hits: int, n: int, *, baseline: float | None = None, among: int = 1) -> Score:
    """`hits` of `n`, with the exact interval of Clopper and Pearson (1934).

    `among` is the number of such proportions that this one was chosen from; it widens the interval (Bonferroni).
    """
    from scipy.stats import binomtest

    level = 1 - (1 - LEVEL) / among
    interval = binomtest(hits, n).proportion_ci(confidence_level=level, method="exact")
    return make_score(hits / n, interval.low, interval.high, n, baseline)


def mean_of_runs(scores: Sequence[Score], *, bounds: tuple[float, float] = (-np.inf, np.inf)) -> Score:
    """The mean over runs on the same texts that differ by chance alone, with Student's interval over the runs.

    It serves a control on shuffled labels: a single shuffle may deviate either way, and only the mean should be zero.
    No value can be outside the `bounds`, and so neither is the interval.
    """
    from scipy.stats import t

    if len(scores) < FEWEST_RUNS:
        raise InputError(f"{len(scores)} runs are too few for an interval; expected at least {FEWEST_RUNS}")
    values = np.array([score.value for score in scores])
    reach = float(t.isf(TAIL, len(values) - 1)) * values.std(ddof=1) / np.sqrt(len(values))
    low, high = np.clip([values.mean() - reach, values.mean() + reach], *bounds)
    return make_score(values.mean(), low, high, scores[0].n, scores[0].baseline)


def document_mean(
    values: npt.ArrayLike,
    documents: Sequence[str],
    rng: np.random.Generator | Integers,
    *,
    weights: npt.ArrayLike | None = None,
    baseline: float | None = None,
    among: int = 1,
    signed: bool = False,
) -> Score:
    """The mean of `values`, with the interval of a bootstrap that draws whole documents.

    `rng` makes the draws, or is what `draw_documents` returned for as many documents.

    `weights` makes it a weighted mean, which is how a ratio of counts is scored: values hits / total, weights total.
    The same generator state draws the same documents whatever the values, so differences are paired. For few documents
    percentiles alone are too narrow; they are widened around the mean by Student's t. Values that are all 0, or all 1,
    have the exact interval of a proportion in which each document counts once. `among` is the number of such means that
    this one was chosen from; it widens the interval (Bonferroni). `signed` values are differences: their interval may
    extend as far below 0 as above it, even if all of them are 0.
    """
    value = np.asarray(values, dtype=np.float64)
    weight = np.ones_like(value) if weights is None else np.asarray(weights, dtype=np.float64)
    totals, sizes = _sum_by_document(np.column_stack([value * weight, weight]), documents).T
    counted = int(np.count_nonzero(sizes))
    _check_enough(counted)
    drawn = draw_documents(len(sizes), rng) if isinstance(rng, np.random.Generator) else rng
    drawn_sizes = drawn @ sizes
    means = (drawn @ totals)[drawn_sizes > 0] / drawn_sizes[drawn_sizes > 0]
    mean = totals.sum() / sizes.sum()
    least, most = value[weight > 0].min(), value[weight > 0].max()
    farthest = max(abs(least), abs(most))
    bounds = (-farthest, farthest) if signed else (least, most)
    if least == most and least in ((-1, 0, 1) if signed else (0, 1)):
        low, high = _ends_of_equal_values(int(least), counted, among, signed=signed)
    else:
        low, high = np.clip(_ends(mean, means, counted, among), *bounds)
    return make_score(mean, low, high, int(np.count_nonzero(weight)), baseline)


def document_difference(
    base: npt.ArrayLike,
    new: npt.ArrayLike,
    documents: Sequence[str],
    rng: np.random.Generator,
    *,
    base_weights: npt.ArrayLike | None = None,
    new_weights: npt.ArrayLike | None = None,
    among: int = 1,
) -> Score:
    """The mean of `new` minus the mean of `base`, two values of each text, with a paired interval.

    Each draw of documents gives both means, each with its own weights. What the two runs share cancels, so the interval
    is narrower than that of two independent samples. Documents without a difference do not add to the confidence:
    Student's t counts only the others, and a few large documents as few (Kish 1965). If fewer than six documents
    differ, chance alone could give all of them the same sign. The interval then says only how many documents may
    differ, and includes zero.
    """
    weights = [np.ones(len(documents)) if each is None else np.asarray(each) for each in (base_weights, new_weights)]
    values = [np.asarray(each, dtype=np.float64) for each in (base, new)]
    columns = [column for value, weight in zip(values, weights, strict=True) for column in (value * weight, weight)]
    sums = _sum_by_document(np.column_stack(columns), documents)
    counted = int(np.count_nonzero(sums[:, 1] + sums[:, 3]))
    _check_enough(counted)
    drawn = np.concatenate([draw_documents(len(sums), rng) @ sums for _ in range(1 if among == 1 else MORE_DRAWS)])
    difference = _difference_of_means(sums.sum(axis=0)[None])[0]
    differing = sums[_find_differing(np.column_stack(columns), documents)]
    if len(differing) < FEWEST_DIFFERING:
        farthest = max(1.0, *(float(np.abs(value).max()) for value in values))
        reach = farthest * proportion(len(differing), counted, among=among).high
        low, high = min(difference, 0.0) - reach, max(difference, 0.0) + reach
    else:
        draws = _difference_of_means(drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)])
        low, high = _ends(difference, draws, _count_effective(differing[:, 1] + differing[:, 3]), among)
    return make_score(difference, low, high, int(np.count_nonzero(weights[0] + weights[1])), 0.0)


def unpaired_difference(base: Score, new: Score, *, among: int = 1) -> Score:
    """`new` minus `base`, two scores of independent samples, from their intervals alone.

    Each end of the interval takes its variance from the ends of the scores that it depends on (Zou and Donner 2008).
    """
    from scipy.stats import norm

    value = new.value - base.value
    wider = float(norm.isf(TAIL / among) / norm.isf(TAIL))
    below = wider * np.hypot(new.value - new.low, base.high - base.value)
    above = wider * np.hypot(new.high - new.value, base.value - base.low)
    return make_score(value, value - below, value + above, min(base.n, new.n), 0.0)


def add_spread(score: Score, spread: float, *, among: int = 1) -> Score:
    """A score with a wider interval: a normal deviation with this SD, independent of the sample, is added to it."""
    from scipy.stats import norm

    more = float(norm.isf(TAIL / among)) * spread
    low = score.value - np.hypot(score.value - score.low, more)
    high = score.value + np.hypot(score.high - score.value, more)
    return make_score(score.value, low, high, score.n, score.baseline)


def document_share(
    parts: npt.ArrayLike,
    documents: Sequence[str],
    rng: np.random.Generator,
    statistic: Callable[[Floats], Floats],
    *,
    baseline: float | None = None,
) -> Score:
    """A share from 0 to 1 that is a function of sums over texts but not a mean: macro-F1, or the F1 of two means.

    `parts` has one row per text. `statistic` maps the sums of its columns, one row per draw, to one value per draw.
    Documents are drawn, and the interval is widened, as in `document_mean`.
    """
    sums = _sum_by_document(np.asarray(parts, dtype=np.float64), documents)
    _check_enough(len(sums))
    drawn = draw_documents(len(sums), rng)
    value = statistic(sums.sum(axis=0)[None])[0]
    low, high = np.clip(_ends(value, statistic(drawn @ sums), len(sums)), 0, 1)
    return make_score(value, low, high, len(documents), baseline)


def _ends_of_equal_values(value: int, documents: int, among: int, *, signed: bool) -> tuple[float, float]:
    """The ends if all values are hits, or all misses: drawing again shows no spread, yet few documents prove little.

    By the exact interval of a proportion, with each document counting once, a share of documents may be different; its
    values may be anywhere between the extremes.
    """
    unseen, least = proportion(0, documents, among=among).high, -1 if signed else 0
    return value - unseen * (value - least), value + unseen * (1 - value)


def _difference_of_means(sums: Floats) -> Floats:
    """The second weighted mean minus the first; columns are total and weight of the first, then of the second."""
    difference: Floats = sums[:, 2] / sums[:, 3] - sums[:, 0] / sums[:, 1]
    return difference


def _find_differing(columns: Floats, documents: Sequence[str]) -> Flags:
    """The documents with a text that the two runs score or weight differently."""
    differs = (columns[:, 0] != columns[:, 2]) | (columns[:, 1] != columns[:, 3])
    return _sum_by_document(differs[:, None].astype(np.float64), documents)[:, 0] > 0


def _count_effective(sizes: Floats) -> float:
    """How many documents of equal size carry as much information as these (Kish 1965); two at least."""
    return max(float(sizes.sum() ** 2 / np.square(sizes).sum()), 2.0)


def _sum_by_document(parts: Floats, documents: Sequence[str]) -> Floats:
    """The sum of each column over each document, one row per document."""
    names, owner = np.unique(np.asarray(documents, dtype=np.str_), return_inverse=True)
    return np.stack(
        [np.bincount(owner, weights=column, minlength=len(names)).astype(np.float64) for column in parts.T], axis=1
    )


def draw_documents(documents: int, rng: np.random.Generator) -> Integers:
    """How often each document was drawn, one row per draw."""
    return rng.multinomial(documents, np.full(documents, 1 / documents), size=DRAWS)


def _check_enough(counted: int) -> None:
    if counted < FEWEST_DOCUMENTS:
        raise InputError(
            f"{counted} documents are too few for an interval; expected at least {FEWEST_DOCUMENTS}; give more"
        )


def _ends(value: float, drawn: Floats, documents: float, among: int = 1) -> Floats:
    tail = 1 - (1 - LEVEL) / (2 * among)
    quantiles: Floats = np.quantile(drawn, [1 - tail, tail])
    return value + _widening(documents, tail) * (quantiles - value)


def _widening(documents: float, tail: float) -> float:
    """Student's t relative to the normal quantile, and the bias of a standard deviation over so few documents."""
    from scipy.stats import norm, t

    return float(t.ppf(tail, documents - 1) / norm.ppf(tail) * np.sqrt(documents / (documents - 1)))
