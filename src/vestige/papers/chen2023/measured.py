"""The scores of an attack of Chen 2023, averaged over repetitions; what several tables share is measured once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import process_time

import numpy as np

from vestige.case.cache import read_cached, write_cached
from vestige.metrics.intervals import add_spread
from vestige.metrics.keyword_ranking import DEPTHS, RankingScores
from vestige.papers.chen2023.adversary import OpenWorldAdversary, Scores
from vestige.papers.chen2023.attacks import BASELINES, Attack, SadeVariant
from vestige.papers.record import Line
from vestige.types import Score, TrainingLog

Columns = Callable[[Scores], tuple[Score | None, ...]]
"""The scores that are columns of a table."""


def scores_at_five(scores: Scores) -> tuple[Score, ...]:
    """Precision@5 and NDCG@5."""
    return scores[5].precision, scores[5].ndcg


def scores_at_every(scores: Scores) -> tuple[Score, ...]:
    """Precision and NDCG at every depth."""
    return tuple(score for k in DEPTHS for score in (scores[k].precision, scores[k].ndcg))


@dataclass(frozen=True, slots=True)
class MeasuredAttack:
    """Precision and NDCG at every depth, how each training ended, and the processor time of fitting."""

    scores: tuple[Score, ...]
    logs: tuple[TrainingLog, ...]
    seconds: float

    def by_depth(self) -> Scores:
        """The scores at each depth."""
        pairs = zip(DEPTHS, self.scores[::2], self.scores[1::2], strict=True)
        return {depth: RankingScores(precision, ndcg) for depth, precision, ndcg in pairs}


def measure_line(adversary: OpenWorldAdversary, by: str, attack: Attack, columns: Columns) -> Line:
    """The scores of an attack, how its training ended, and the processor time of fitting it."""
    found = _measure(adversary, attack)
    return Line(by, columns(found.by_depth()), found.logs, found.seconds)


def _identify(attack: Attack) -> dict[str, object] | None:
    """What distinguishes an attack from all others; None for one that is not stored."""
    if isinstance(attack, SadeVariant):
        return {"attack": "SADE", **dict(attack.settings)}
    for name, baseline in BASELINES.items():
        if baseline is attack:
            return {"attack": name}
    return None


def _measure(adversary: OpenWorldAdversary, attack: Attack) -> MeasuredAttack:
    """The mean over the repetitions of the run; what is not trained is measured once."""
    found = [_measure_stored(adversary, attack)]
    while found[0].logs and len(found) < adversary.run.sizes.repeats:
        found.append(_measure_stored(adversary.repeat(len(found)), attack))
    scores = tuple(map(average_repeats, zip(*(one.scores for one in found), strict=True)))
    logs = tuple(log for one in found for log in one.logs)
    return MeasuredAttack(scores, logs, sum(one.seconds for one in found))


def _measure_stored(adversary: OpenWorldAdversary, attack: Attack) -> MeasuredAttack:
    """One repetition; that of a stopped run, or of another table in the same setting, is read from the cache."""
    stored = adversary.locate(_identify(attack))
    if stored is None:
        return _measure_once(adversary, attack)
    if (known := read_cached(MeasuredAttack, stored)) is not None:
        return known
    found = _measure_once(adversary, attack)
    write_cached(found, stored)
    return found


def _measure_once(adversary: OpenWorldAdversary, attack: Attack) -> MeasuredAttack:
    adversary.prepare()
    started, queried = process_time(), adversary.encoding_seconds
    fitted = attack(adversary)
    seconds = process_time() - started - (adversary.encoding_seconds - queried)
    log = getattr(fitted, "log_", None)
    return MeasuredAttack(scores_at_every(adversary.score(fitted)), () if log is None else (log,), seconds)


def average_repeats(scores: Sequence[Score]) -> Score:
    """The mean over repetitions on the same documents.

    The interval is that over documents, averaged, and wider by the spread of the repetitions.
    """
    if len(scores) == 1:
        return scores[0]
    values, lows, highs = np.array([(score.value, score.low, score.high) for score in scores]).T
    mean = replace(scores[0], value=float(values.mean()), low=float(lows.mean()), high=float(highs.mean()))
    return add_spread(mean, float(values.std(ddof=1)) / np.sqrt(len(scores)))
