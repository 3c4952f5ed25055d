"""What the probe `budget` shows beside its figures: what queries buy, who asked, and the cheapest who reads."""

from collections.abc import Mapping

from vestige.case.findings import Adversary, Bar, Chart, Measure
from vestige.case.level import SUBSTANTIAL, not_told_apart
from vestige.probes.budget_attack import Stranger
from vestige.types import Score


def by_queries(scores: Mapping[int, Score]) -> Chart:
    """P@5 after so many queries."""
    return Chart(
        "What queries buy",
        "Of five words named for a text, the share that is in it (P@5), by the number of its own texts that the "
        "stranger had encoded. The mark on each bar is guessing without the vectors.",
        tuple(Bar(f"{budget:,} queries", score) for budget, score in scores.items()),
    )


def least(gains: Mapping[int, Score], limit: float) -> int | None:
    """The fewest queries whose gain over guessing lies above the limit with all of its interval."""
    return next((budget for budget, gain in sorted(gains.items()) if gain.low > limit), None)


def summary(usual: int, measure: Measure, leakage: Score, gains: Mapping[int, Score]) -> str:
    """How cheap the attack is; the intervals of `gains` are widened, since the first of several is looked for."""
    who = f"A stranger with similar text of which {usual:,} were encoded"
    first, much = least(gains, 0), least(gains, SUBSTANTIAL)
    told = (
        f"{who} names five words for each text of which {measure.attack.value:.0%} are there, where guessing has "
        f"{measure.prior.value:.0%}."
    )
    if leakage.low <= 0:
        told = not_told_apart(who, leakage)
        if first is None:
            return told
    if first is None:
        return f"{told} How few queries would do cannot be told."
    cheapest = f"{told} {first:,} queries are enough to do better than guessing"
    if much is None:
        return f"{cheapest}, and none of the numbers tried gives a substantial part away."
    enough = "and to give a substantial part away" if much == first else f"and {much:,} to give a substantial part away"
    return f"{cheapest}, {enough}."


def adversary(stranger: Stranger, targets: int, queries: int) -> Adversary:
    """What the stranger had."""
    pool = stranger.pool
    given = (
        f"{targets:,} target vectors, without their texts",
        f"{len(pool.texts):,} texts of the same kind ({pool.source}), the vectors of {queries:,} of them, and no more",
        f"an encoder of its own: {stranger.own.name}",
        f"{len(stranger.weigher.words):,} words of any kind to choose from, weighed by tf-idf",
    )
    return Adversary(given, queries, queries if pool.queries else 0)
