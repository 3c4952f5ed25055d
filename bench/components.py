"""Is the cloud that a thief of `asymmetric` sees round? Directions by independent component analysis, without any pair.

Encrypted rows have one covariance in all directions, so what every alignment begins with is missing. Higher moments
remain: text has directions in which few rows lie far out, and noise has none. One line per amount of stolen rows, the
mean of three keys and the lowest and highest: which share of the 20 least Gaussian directions lies among those of the
text, where one half is chance; and how many of them are a component of the thief's own text, by their true values
(correlation above 0.6). A thief would still have to find out which is which. Encoder: MiniLM, complaints.

Components by FastICA with the cube (Hyvärinen 1999), 40 steps on two thirds of the rows; the other third orders them.
So few steps need not converge, and others may find more.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bench.keyed import read_sides
from vestige.defenses.asymmetric import AsymmetricEncryption
from vestige.types import Floats, Singles, Vectors

STOLEN, KEYS = (1000, 2000, 4000), 3
BEST, STEPS, SAME = 20, 40, 0.6


@dataclass(frozen=True)
class Components:
    """Directions, one per row, the least Gaussian first."""

    directions: Singles

    @classmethod
    def fit(cls, white: Singles, rng: np.random.Generator) -> "Components":
        """Of rows whose covariance is the same in all directions."""
        order = rng.permutation(len(white))
        fitted, held = np.split(white[order], [2 * len(white) // 3])
        directions = np.linalg.qr(rng.standard_normal((white.shape[1], white.shape[1])))[0].astype(np.float32)
        for _ in range(STEPS):
            projected = fitted @ directions.T
            moved = (projected**3).T @ fitted / len(fitted) - 3 * directions
            left, _, right = np.linalg.svd(moved, full_matrices=False)
            directions = left @ right
        outlying = np.minimum(*(_measure_tails(rows @ directions.T) for rows in (fitted, held)))
        return cls(directions[np.argsort(-outlying)])


def run() -> Iterator[str]:
    """By number of stolen rows."""
    sides = read_sides("complaints", max(STOLEN))
    own, whitening = _whiten(sides.own.vectors)
    mine = Components.fit(own, np.random.default_rng(0))
    true = (sides.stolen.vectors - sides.own.vectors.mean(axis=0)) @ whitening @ mine.directions.T
    yield f"asymmetric:{AsymmetricEncryption().noise} of complaints, {len(own):,} own rows, {KEYS} keys"
    for amount in STOLEN:
        found = [_attack(sides.stolen.vectors[:amount], true[:amount], key) for key in range(1, KEYS + 1)]
        shares, same = ([each[place] for each in found] for place in (0, 1))
        yield (
            f"{amount:,} stolen: share of text in the {BEST} least Gaussian directions {np.mean(shares):.3f} "
            f"({min(shares):.3f} to {max(shares):.3f}); components of the thief's own text {np.mean(same):.1f} "
            f"({min(same)} to {max(same)})"
        )


def _attack(raw: Vectors, true: Floats, key: int) -> tuple[float, int]:
    """The share of text in the best directions, and how many of these are an own component."""
    defense = AsymmetricEncryption().fit(raw, rng=np.random.default_rng(key))
    encrypted = defense.transform(raw)
    best = Components.fit(encrypted - encrypted.mean(axis=0), np.random.default_rng(0)).directions[:BEST]
    text = np.linalg.svd(defense.rows_.astype(np.float64), full_matrices=False)[2]
    correlations = np.corrcoef((encrypted @ best.T).T, true.T)[:BEST, BEST:]
    return float(np.square(best @ text.T).sum(axis=1).mean()), int((np.abs(correlations).max(axis=1) > SAME).sum())


def _whiten(vectors: Vectors) -> tuple[Singles, Floats]:
    centred = vectors - vectors.mean(axis=0)
    values, axes = np.linalg.eigh((centred.T @ centred / len(centred)).astype(np.float64))
    whitening = axes / np.sqrt(np.maximum(values, 0.01 * values.mean())) @ axes.T
    return np.asarray(centred @ whitening, np.float32), whitening


def _measure_tails(projected: Singles) -> Floats:
    """Excess kurtosis per column: 0 for Gaussian noise, higher where few rows lie far out."""
    standard = (projected - projected.mean(axis=0)) / projected.std(axis=0)
    tails: Floats = (standard**4).mean(axis=0) - 3
    return tails
