"""The portrait of an encoder: how its vectors are distributed, and how far its own deviate on unseen topics."""

from dataclasses import dataclass, replace

import numpy as np

from vestige.types import Floats, Integers, Vectors

WIDEST = 1024
SIMPLE = ("share of zeros", "share of negative numbers", "peakedness")
BANDS = 8
TOPICS = 6
REACH = 0.99
SLACK = np.array([0.0, 0.1, 0.05, 0.05, 0.25])
SIDE = np.array([1, -1, 0, 0, 0])
"""The direction in which a trait may deviate too far: up, down, or (0) both. First the traits of `DirectionSpread`."""
ROTATED_SHARE = 0.75
"""How far an encoder's own vectors may deviate, as a share of how far they do with their columns mixed."""
SHARP = np.array([1.0, 1.0, 2.0, 2.0, 2.0])
"""A trait separates encoders if rotated vectors deviate by so many reaches; many encoders share the simple traits."""
UNIT = 1e-2
ROTATED = 300
LENGTH_EVIDENCE = 10.0


@dataclass(frozen=True)
class Portrait:
    """One encoder, described by its vectors of an unrelated corpus.

    `centre` is the median of each trait over its own vectors; `between` and `within` are how far topics, and vectors of
    one topic, deviate from it. All three come from topics that the portrait was not fitted on, so that an unfamiliar
    domain does not look like another encoder. Another encoder deviates as much as the encoder's own vectors under a
    random rotation, and domains exist that deviate more than those of the portrait: where rotated vectors deviate more
    than any topic, `between` is three quarters of that. A portrait that rotated vectors would fit is `blunt`: it
    separates no encoders.
    """

    name: str
    columns: int
    spread: "DirectionSpread"
    centre: Floats
    between: Floats
    within: Floats
    log_length: float
    length_spread: float
    blunt: bool = False

    @classmethod
    def fit(cls, name: str, vectors: Vectors, rng: np.random.Generator) -> "Portrait":
        """From vectors of texts on many topics."""
        rows, simple = directions(vectors), simple_traits(vectors)
        topics = [
            np.column_stack([DirectionSpread.fit(rows[kept]).traits(rows[held]), simple[held]])
            for kept, held in _topics(rows, rng)
        ]
        centre = np.median(np.concatenate(topics), axis=0)
        off = np.concatenate(topics) - centre
        reach = np.quantile(_signed(off), REACH, axis=0)
        medians = np.abs([np.median(topic, axis=0) - centre for topic in topics]).max(axis=0)
        logs = np.log(np.maximum(lengths(vectors), 1e-12))
        portrait = cls(
            name=name,
            columns=vectors.shape[1],
            spread=DirectionSpread.fit(rows),
            centre=centre,
            between=np.concatenate([reach[:2], medians[2:]]) + SLACK,
            within=np.concatenate([np.zeros(2), reach[2:]]),
            log_length=float(np.median(logs)),
            length_spread=max(float(logs.std()), UNIT),
        )
        rotated = portrait.off(np.median(portrait.traits(_rotate(vectors, rng)), axis=0))
        sharp = rotated > SHARP * portrait.between
        return replace(
            portrait, between=np.where(sharp, ROTATED_SHARE * rotated, portrait.between), blunt=not bool(sharp.any())
        )

    def traits(self, vectors: Vectors) -> Floats:
        """(vectors, 5): surprise and tilt of each direction, and its simple traits."""
        return np.column_stack([self.spread.traits(directions(vectors)), simple_traits(vectors)])

    def deviation(self, traits: Floats, vectors: int = 1) -> Floats:
        """(rows, 5): by how many reaches a trait deviates that is the median of so many vectors; above 1 is too far.

        A direction is never too little surprising, and never tilted too much upward.
        """
        return np.asarray(self.off(traits) / (self.between + self.within / np.sqrt(vectors)), dtype=np.float64)

    def off(self, traits: Floats) -> Floats:
        """How far traits deviate from those of its own vectors, in the direction that counts."""
        return np.asarray(_signed(traits - self.centre), dtype=np.float64)

    def evidence(self, traits: Floats, log_lengths: Floats) -> Floats:
        """The log density of each row's direction, and a little for its length, which anyone may change."""
        distance = len(self.spread.mean) * np.exp(traits[:, 0])
        off = np.square((log_lengths - self.log_length) / self.length_spread)
        return -(distance + np.minimum(off, LENGTH_EVIDENCE)) / 2 - self.spread.log_volume


def _signed(off: Floats) -> Floats:
    return np.where(SIDE, off * SIDE, np.abs(off))


def _topics(rows: Floats, rng: np.random.Generator) -> list[tuple[Integers, Integers]]:
    """For each topic, the rows of all other topics and its own."""
    from sklearn.cluster import KMeans

    found = KMeans(TOPICS, n_init=1, random_state=int(rng.integers(2**31))).fit_predict(rows)
    topics = (found == topic for topic in range(TOPICS))
    return [(np.flatnonzero(~topic), np.flatnonzero(topic)) for topic in topics if 0 < topic.sum() <= len(rows) / 2]


def _rotate(vectors: Vectors, rng: np.random.Generator) -> Vectors:
    """Some of the vectors, their columns mixed by a random rotation, in blocks where there are many columns."""
    rotated = vectors[:ROTATED].copy()
    for start in range(0, vectors.shape[1], WIDEST):
        block = rotated[:, start : start + WIDEST]
        rotation = np.linalg.qr(rng.standard_normal((block.shape[1], block.shape[1])))[0]
        block[:] = block @ rotation.astype(np.float32)
    return rotated


@dataclass(frozen=True)
class DirectionSpread:
    """A Gaussian over directions: its mean, its axes as columns, and the variance along each, smallest first.

    The covariance is shrunk as in Ledoit and Wolf (2004).
    """

    mean: Floats
    axes: Floats
    variances: Floats

    @classmethod
    def fit(cls, rows: Floats) -> "DirectionSpread":
        """Fit to directions, one per row."""
        from sklearn.covariance import ledoit_wolf

        mean = rows.mean(axis=0)
        variances, axes = np.linalg.eigh(ledoit_wolf(rows - mean, assume_centered=True)[0])
        return cls(mean, axes, np.maximum(variances, max(1e-9 * variances[-1], 1e-15)))

    @property
    def log_volume(self) -> float:
        """Half the log determinant of the covariance."""
        return float(np.log(self.variances).sum() / 2)

    def traits(self, rows: Floats) -> Floats:
        """(rows, 2): surprise and tilt.

        Surprise is the log of the squared Mahalanobis distance per dimension, near 0 for rows it was fitted to. Tilt is
        the slope, over bands of axes, of the log of that distance against the log of the variance: near 0 for rows of
        the same encoder whatever they are about, toward -1 for rows that are unrelated to these axes.
        """
        squared = np.square((rows - self.mean) @ self.axes) / self.variances
        cuts = np.arange(BANDS) * len(self.variances) // BANDS
        sizes = np.diff([*cuts, len(self.variances)])
        logs = np.log(np.maximum(np.add.reduceat(squared, cuts, axis=1) / sizes, 1e-12))
        variance = np.log(np.add.reduceat(self.variances, cuts) / sizes)
        slope = variance - variance.mean()
        tilt = logs @ slope / max(float(slope @ slope), 1e-3)
        return np.column_stack([np.log(np.maximum(squared.mean(axis=1), 1e-12)), tilt])


def lengths(vectors: Vectors) -> Floats:
    """The Euclidean length of each vector."""
    return np.asarray(np.linalg.norm(vectors.astype(np.float64), axis=1), dtype=np.float64)


def directions(vectors: Vectors) -> Floats:
    """The vectors at length one; neighbouring columns are added up where there are more than `WIDEST`."""
    columns = vectors.shape[1]
    rows = vectors.astype(np.float64)
    if columns > WIDEST:
        rows = np.add.reduceat(rows, np.arange(WIDEST) * columns // WIDEST, axis=1)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), dtype=np.float64)


def simple_traits(vectors: Vectors) -> Floats:
    """(vectors, 3): the share of zeros, of negative numbers among the others, and log of d·Σu⁴ of the direction u.

    All are invariant to positive scaling. The last is 0 for a vector whose numbers all have one size, and log d for one
    with a single non-zero number.
    """
    zeros = (vectors == 0).mean(axis=1)
    negative = (vectors < 0).sum(axis=1) / np.maximum((vectors != 0).sum(axis=1), 1)
    unit = vectors / np.maximum(lengths(vectors), 1e-12)[:, None]
    fourth = vectors.shape[1] * np.power(unit, 4).sum(axis=1)
    return np.column_stack([zeros, negative, np.log(np.maximum(fourth, 1e-12))])
