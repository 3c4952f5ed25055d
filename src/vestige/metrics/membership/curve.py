"""What each threshold gives: the curve of true against false positives."""

from dataclasses import dataclass

import numpy as np

from vestige.types import Flags, Floats, Integers

POINTS = 120


@dataclass(frozen=True, slots=True)
class Tally:
    """Rows at or above each threshold, the highest threshold first; above all scores, nobody is called a member."""

    thresholds: Floats
    hits: Integers
    alarms: Integers


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve."""

    fpr: float
    tpr: float


def tally(members: Floats, others: Floats) -> Tally:
    """Count members and others at or above every score that occurs, so that equal scores are all in or all out."""
    thresholds = np.append(np.inf, np.unique(np.concatenate([members, others]))[::-1])
    hits, alarms = (len(side) - np.searchsorted(np.sort(side), thresholds) for side in (members, others))
    return Tally(thresholds, hits.astype(np.int64), alarms.astype(np.int64))


def curve(members: Floats, others: Floats) -> tuple[Point, ...]:
    """Points from (0, 0) to (1, 1), each exactly on the curve, at most a few hundred.

    Points on a straight line between their neighbours are left out; of the rest, where there are too many, those are
    kept that lie evenly on logarithmic axes.
    """
    counts = tally(members, others)
    corners = np.flatnonzero(_corners(counts.hits, counts.alarms))
    kept = corners[_evenly(counts.hits[corners], counts.alarms[corners])]
    return tuple(
        Point(float(fpr), float(tpr))
        for fpr, tpr in zip(counts.alarms[kept] / len(others), counts.hits[kept] / len(members), strict=True)
    )


def _corners(hits: Integers, alarms: Integers) -> Flags:
    up, along = np.diff(hits), np.diff(alarms)
    turns = up[:-1] * along[1:] != up[1:] * along[:-1]
    return np.concatenate([[True], turns, [True]])


def _evenly(hits: Integers, alarms: Integers) -> Integers:
    if len(hits) <= 2 * POINTS:
        return np.arange(len(hits))
    by_alarms = np.searchsorted(alarms, np.append(0, np.geomspace(1, alarms[-1], POINTS - 2)), side="right") - 1
    by_hits = np.searchsorted(hits, np.geomspace(1, hits[-1], POINTS - 1))
    return np.unique(np.concatenate([[0], by_alarms, by_hits, [len(hits) - 1]])).astype(np.int64)
