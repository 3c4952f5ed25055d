"""Statistics of all rows of a source, computed in one pass and merged in the order of the rows, in bounded memory."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from vestige.preflight.lengths import UNIT
from vestige.preflight.plaintext import TextCounts, count_texts, merge_texts
from vestige.stores.vector_checks import LARGEST
from vestige.types import Flags, Floats, Integers, Vectors

BINS = 1024
"""Bins of lengths per power of two: a quantile is accurate to a thousandth."""

MOST_HASHES = 2**20
FEW = 100
"""Rows that are looked at first: if they lack a trait, all rows do."""

SHOWN = 3

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Moments:
    """Number, mean and sum of squared deviations of each column."""

    n: int
    mean: Floats
    squares: Floats

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> "Moments":
        """The moments of these rows."""
        wide = values.astype(np.float64)
        mean = wide.mean(axis=0) if len(wide) else np.zeros(wide.shape[1:])
        wide -= mean
        return cls(len(wide), np.asarray(mean), np.asarray(np.square(wide, out=wide).sum(axis=0)))

    def merge(self, other: "Moments") -> "Moments":
        """The moments of both (Chan, Golub and LeVeque 1983)."""
        if not self.n or not other.n:
            return self if self.n else other
        n, apart = self.n + other.n, other.mean - self.mean
        mean = self.mean + apart * (other.n / n)
        return Moments(n, mean, self.squares + other.squares + apart**2 * (self.n * other.n / n))

    @property
    def deviation(self) -> Floats:
        """The standard deviation of each column."""
        return np.asarray(np.sqrt(self.squares / max(self.n, 1)))


@dataclass(frozen=True)
class Repeats:
    """How often each vector occurs, by a hash of 64 bits, and in how many rows with the text of the first.

    Of a large source only the hashes below a threshold are counted: `level` halvings of all hashes.
    """

    level: int
    hashes: Hashes
    counts: Integers
    same: Integers
    texts: Hashes

    @classmethod
    def of(cls, vectors: Vectors, texts: Hashes | None, level: int) -> "Repeats":
        """The hashes of these rows."""
        found = hash_rows(vectors)
        kept = (found >> np.uint64(64 - level)) == 0 if level else np.ones(len(found), np.bool_)
        own = np.zeros(len(found), np.uint64) if texts is None else texts
        ones = np.ones(int(kept.sum()), np.int64)
        return _fold(level, found[kept], ones, ones, own[kept])

    def merge(self, other: "Repeats") -> "Repeats":
        """Both; the texts of `self` come first."""
        return _fold(
            self.level,
            np.concatenate((self.hashes, other.hashes)),
            np.concatenate((self.counts, other.counts)),
            np.concatenate((self.same, other.same)),
            np.concatenate((self.texts, other.texts)),
        )

    @property
    def rows(self) -> int:
        """Rows that were counted."""
        return int(self.counts.sum())

    @property
    def repeated(self) -> int:
        """Rows whose vector occurs in an earlier row."""
        return int((self.counts - 1).sum())

    @property
    def same_text(self) -> int:
        """Those of them that have the text of the first."""
        return int((self.same - 1).sum())


def _fold(level: int, hashes: Hashes, counts: Integers, same: Integers, texts: Hashes) -> Repeats:
    """Join equal hashes. `same` counts the rows with the text of the first of them."""
    distinct, first, group = np.unique(hashes, return_index=True, return_inverse=True)
    totals = np.bincount(group, counts, len(distinct)).astype(np.int64)
    alike = np.where(texts == texts[first][group], same, 0)
    return Repeats(level, distinct, totals, np.bincount(group, alike, len(distinct)).astype(np.int64), texts[first])


def choose_level(rows: int) -> int:
    """How often hashes must be halved so that their number is bounded."""
    return max(0, int(np.ceil(np.log2(max(rows, 1) / MOST_HASHES))))


def hash_rows(vectors: Vectors) -> Hashes:
    """A hash of each row; equal rows have equal hashes, and 0 equals -0."""
    words = np.ascontiguousarray(vectors + np.float32(0)).view(np.uint32).astype(np.uint64)
    keys = np.random.default_rng(2**31 - 1).integers(2**64, size=(2, words.shape[1]), dtype=np.uint64) | np.uint64(1)
    with np.errstate(over="ignore"):
        one, other = (np.einsum("ij,j->i", words, key) for key in keys)
        return _mix(one ^ _mix(other))


def _mix(values: Hashes) -> Hashes:
    """The last steps of SplitMix64."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))


@dataclass(frozen=True)
class Invalid:
    """How many rows have a fault, and the numbers of the first."""

    rows: int = 0
    first: tuple[int, ...] = ()

    @classmethod
    def of(cls, faulty: Flags, start: int) -> "Invalid":
        """The faulty rows; the first row has the number `start`."""
        return cls(int(faulty.sum()), tuple((np.flatnonzero(faulty)[:SHOWN] + start).tolist()))

    def merge(self, other: "Invalid") -> "Invalid":
        """Both."""
        return Invalid(self.rows + other.rows, (*self.first, *other.first)[:SHOWN])


def _is_whole(rows: Vectors) -> bool:
    return bool((rows == np.rint(rows)).all() and np.abs(rows).max(initial=0) < 256)


def _is_half(rows: Vectors) -> bool:
    with np.errstate(over="ignore"):
        return bool((rows.astype(np.float16).astype(np.float32) == rows).all())


def _is_brain(rows: Vectors) -> bool:
    return not (np.ascontiguousarray(rows, np.float32).view(np.uint32) & 0xFFFF).any()


@dataclass(frozen=True)
class NumberTraits:
    """What the values show of their form: integers of a byte, half precision, or two values only."""

    whole: bool = True
    half: bool = True
    brain: bool = True
    values: frozenset[float] = frozenset()

    @classmethod
    def of(cls, rows: Vectors) -> "NumberTraits":
        """The traits of valid rows."""
        few = rows[:FEW]
        some = np.unique(few)[:3]
        distinct = np.unique(rows)[:3] if len(some) <= 2 else some
        whole, half, brain = (check(few) and check(rows) for check in (_is_whole, _is_half, _is_brain))
        return cls(whole, half, brain, frozenset(distinct.tolist()))

    def merge(self, other: "NumberTraits") -> "NumberTraits":
        """Both."""
        values = frozenset(sorted(self.values | other.values)[:3])
        return NumberTraits(self.whole and other.whole, self.half and other.half, self.brain and other.brain, values)


@dataclass(frozen=True)
class Statistics:
    """What one pass over rows shows. `rows` counts all; what is about vectors counts those that are valid."""

    rows: int
    infinite: Invalid
    huge: Invalid
    zeros: Invalid
    columns: Moments
    nonzero: Flags
    zero_values: int
    lengths: Moments
    length_bins: Counter[int]
    near_unit: tuple[int, int]
    directions: Floats
    traits: NumberTraits
    repeats: Repeats
    texts: dict[str, TextCounts] = field(default_factory=dict)

    @classmethod
    def of(cls, vectors: Vectors, start: int, level: int, texts: Hashes | None = None) -> "Statistics":
        """The statistics of these rows; the first has the number `start`."""
        finite = np.asarray(np.isfinite(vectors).all(axis=1))
        huge = finite & (np.abs(np.where(finite[:, None], vectors, 0)).max(axis=1) > LARGEST)
        zeros = finite & ~vectors.any(axis=1)
        usable = finite & ~huge & ~zeros
        valid = vectors if usable.all() else vectors[usable]
        lengths = np.linalg.norm(valid, axis=1)
        distance = np.abs(lengths - 1)
        return cls(
            rows=len(vectors),
            infinite=Invalid.of(~finite, start),
            huge=Invalid.of(huge, start),
            zeros=Invalid.of(zeros, start),
            columns=Moments.of(valid),
            nonzero=np.asarray(valid.any(axis=0)),
            zero_values=int((valid == 0).sum()),
            lengths=Moments.of(lengths),
            length_bins=_count_bins(lengths),
            near_unit=(int((distance <= UNIT).sum()), int(((distance > UNIT) & (distance <= 2 * UNIT)).sum())),
            directions=np.asarray((valid / lengths[:, None]).sum(axis=0, dtype=np.float64)),
            traits=NumberTraits.of(valid) if len(valid) else NumberTraits(),
            repeats=Repeats.of(valid, None if texts is None else texts[usable], level),
        )

    def with_texts(self, metadata: dict[str, list[Any]]) -> "Statistics":
        """The same, with the counts of what is stored next to the vectors in plain text."""
        return replace(self, texts=count_texts(metadata))

    def merge(self, other: "Statistics") -> "Statistics":
        """The statistics of these rows and of those that follow."""
        near = self.near_unit[0] + other.near_unit[0], self.near_unit[1] + other.near_unit[1]
        return Statistics(
            self.rows + other.rows,
            self.infinite.merge(other.infinite),
            self.huge.merge(other.huge),
            self.zeros.merge(other.zeros),
            self.columns.merge(other.columns),
            self.nonzero | other.nonzero,
            self.zero_values + other.zero_values,
            self.lengths.merge(other.lengths),
            self.length_bins + other.length_bins,
            near,
            self.directions + other.directions,
            self.traits.merge(other.traits),
            self.repeats.merge(other.repeats),
            merge_texts(self.texts, other.texts),
        )

    def find_length(self, share: float, *, apart: bool = False) -> float:
        """A quantile of the lengths, to a thousandth; with `apart`, of those that are not unit length."""
        bins = sorted(self.length_bins.items())
        if apart:
            bins = [(number, count) for number, count in bins if abs(_middle(number) - 1) > UNIT] or bins
        reached, wanted = 0, share * sum(count for _, count in bins)
        for number, count in bins:
            reached += count
            if reached >= wanted:
                return _middle(number)
        return 0.0


class RunningTotal:
    """Merges statistics in the order of their rows, each with one of about its own size.

    Merging all into one would sort the hashes of all rows again for every part. What is merged with what depends on the
    numbers of rows alone, so the last bits are always the same.
    """

    def __init__(self) -> None:
        self._merged: list[Statistics] = []

    def add(self, statistics: Statistics) -> None:
        """Add those of the rows that follow."""
        merged = self._merged
        merged.append(statistics)
        while len(merged) > 1 and merged[-2].rows < 2 * merged[-1].rows:
            merged[-2:] = [merged[-2].merge(merged[-1])]

    def merge(self) -> Statistics | None:
        """Those of all rows; None if there are none."""
        return reduce(lambda later, earlier: earlier.merge(later), reversed(self._merged)) if self._merged else None


def _count_bins(lengths: Floats | Vectors) -> Counter[int]:
    numbers, counts = np.unique(np.floor(np.log2(lengths) * BINS).astype(np.int64), return_counts=True)
    return Counter(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))


def _middle(number: int) -> float:
    return float(2 ** ((number + 0.5) / BINS))
