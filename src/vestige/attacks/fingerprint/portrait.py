"""The portrait of an encoder: how its vectors are spread, and how strange its own may look on topics never seen."""

from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.fingerprint.spread import Spread
from vestige.attacks.fingerprint.traits import WIDEST, directions, lengths, simple_traits
from vestige.types import Floats, Integers, Vectors

TOPICS = 6
STRANGEST = 0.99
SLACK = np.array([0.0, 0.1, 0.05, 0.05, 0.25])
SIDE = np.array([1, -1, 0, 0, 0])
"""Which way a trait may be too far: up, down, or (0) both. Of the traits of `Spread`, then of `simple_traits`."""

FARTHEST = 0.75
"""How far an encoder's own vectors may be on the way to what they would be with their columns mixed."""

SHARP = np.array([1.0, 1.0, 2.0, 2.0, 2.0])
"""A trait tells encoders by, if its turned vectors are so many reaches off; many encoders share the simple traits."""

UNIT = 1e-2
TURNED = 300
LENGTH_EVIDENCE = 10.0


@dataclass(frozen=True)
class Portrait:
    """One encoder as its answers to an unrelated corpus show it.

    `centre` is what its own vectors have of each trait, `between` and `within` how far from there topics and vectors of
    one topic are found. All three come from topics that the portrait was not made from, so that a strange domain
    does not look like a strange encoder. Another encoder is as strange as its own vectors turned about at random, and
    stranger domains than those of the portrait exist: where turned vectors lie farther than any topic, `between` is
    three quarters of the way to them. A portrait that they would fit is `blunt`: it has nothing to tell encoders by.
    """

    name: str
    columns: int
    spread: Spread
    centre: Floats
    between: Floats
    within: Floats
    log_length: float
    length_spread: float
    blunt: bool = False

    @classmethod
    def of(cls, name: str, vectors: Vectors, rng: np.random.Generator) -> "Portrait":
        """Drawn from vectors of texts on many topics."""
        rows, simple = directions(vectors), simple_traits(vectors)
        topics = [
            np.column_stack([Spread.of(rows[kept]).traits(rows[held]), simple[held]])
            for kept, held in _topics(rows, rng)
        ]
        centre = np.median(np.concatenate(topics), axis=0)
        off = np.concatenate(topics) - centre
        reach = np.quantile(_to_the_side(off), STRANGEST, axis=0)
        medians = np.abs([np.median(topic, axis=0) - centre for topic in topics]).max(axis=0)
        logs = np.log(np.maximum(lengths(vectors), 1e-12))
        portrait = cls(
            name=name,
            columns=vectors.shape[1],
            spread=Spread.of(rows),
            centre=centre,
            between=np.concatenate([reach[:2], medians[2:]]) + SLACK,
            within=np.concatenate([np.zeros(2), reach[2:]]),
            log_length=float(np.median(logs)),
            length_spread=max(float(logs.std()), UNIT),
        )
        turned = portrait.off(np.median(portrait.traits(_turned(vectors, rng)), axis=0))
        sharp = turned > SHARP * portrait.between
        return replace(
            portrait, between=np.where(sharp, FARTHEST * turned, portrait.between), blunt=not bool(sharp.any())
        )

    def traits(self, vectors: Vectors) -> Floats:
        """(vectors, 5): surprise and tilt of each direction, and its simple traits."""
        return np.column_stack([self.spread.traits(directions(vectors)), simple_traits(vectors)])

    def strangeness(self, traits: Floats, vectors: int = 1) -> Floats:
        """(rows, 5): by how many reaches a trait is off that is the median of so many vectors; above 1 is too far.

        A direction is never too little surprising, and never tilted too much upward.
        """
        return np.asarray(self.off(traits) / (self.between + self.within / np.sqrt(vectors)), dtype=np.float64)

    def off(self, traits: Floats) -> Floats:
        """How far traits are from those of its own vectors, to the side that counts."""
        return np.asarray(_to_the_side(traits - self.centre), dtype=np.float64)

    def evidence(self, traits: Floats, log_lengths: Floats) -> Floats:
        """The log density of each row's direction, and a little for the length, which anyone may change."""
        distance = len(self.spread.mean) * np.exp(traits[:, 0])
        off = np.square((log_lengths - self.log_length) / self.length_spread)
        return -(distance + np.minimum(off, LENGTH_EVIDENCE)) / 2 - self.spread.log_volume


def _to_the_side(off: Floats) -> Floats:
    return np.where(SIDE, off * SIDE, np.abs(off))


def _topics(rows: Floats, rng: np.random.Generator) -> list[tuple[Integers, Integers]]:
    """Rows by topic: all others to learn from, and those of the topic."""
    from sklearn.cluster import KMeans

    found = KMeans(TOPICS, n_init=1, random_state=int(rng.integers(2**31))).fit_predict(rows)
    topics = (found == topic for topic in range(TOPICS))
    return [(np.flatnonzero(~topic), np.flatnonzero(topic)) for topic in topics if 0 < topic.sum() <= len(rows) / 2]


def _turned(vectors: Vectors, rng: np.random.Generator) -> Vectors:
    """Some of the vectors, their columns mixed by a random rotation, in blocks where there are many columns."""
    turned = vectors[:TURNED].copy()
    for start in range(0, vectors.shape[1], WIDEST):
        block = turned[:, start : start + WIDEST]
        rotation = np.linalg.qr(rng.standard_normal((block.shape[1], block.shape[1])))[0]
        block[:] = block @ rotation.astype(np.float32)
    return turned
