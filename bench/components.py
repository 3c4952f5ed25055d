"""Is the cloud that a thief of `asymmetric` sees round? Directions by independent component analysis, without any pair.

Encrypted rows have one covariance in all directions, so what every alignment begins with is missing. Higher moments
remain: text has directions in which few rows lie far out, and noise has none. One line per number of stolen rows, under
one key: which share of the 20 least Gaussian directions lies among those of the text, where one half is chance; the
interval is over directions. A thief would still have to find out which is which. Encoder: MiniLM, complaints.

Components by FastICA with the cube (Hyvärinen 1999), 40 steps on two thirds of the rows; the other third orders them.
So few steps need not converge, and a longer search may find more: the shares are what a thief finds at least.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from vestige.case.scorer import Scorer
from vestige.defenses.asymmetric import AsymmetricEncryption
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.text.corpora import load_corpus
from vestige.types import Floats, Singles, Vectors

CACHE = Path("vestige-audit/bench")
STOLEN, KEY = (1000, 4000), 1
BEST, STEPS = 20, 40


def run() -> Iterator[str]:
    """By number of stolen rows."""
    texts = load_corpus("complaints").sentences(8, 40).texts
    drawn = np.random.default_rng(0).permutation(len(texts))[: max(STOLEN)]
    vectors = CachedEncoder(load_encoder("minilm"), CACHE).encode([texts[row] for row in drawn])
    scorer = Scorer([str(place) for place in range(BEST)], 0)
    for amount in STOLEN:
        found = scorer.score(_measure_shares(vectors[:amount]), baseline=0.5)
        yield f"{amount:,} stolen rows: {found.value:.3f} ({found.low:.3f} to {found.high:.3f}) n={found.n}"


def _measure_shares(vectors: Vectors) -> Floats:
    """The share of text in each of the directions that look least like noise."""
    defense = AsymmetricEncryption().fit(vectors, rng=np.random.default_rng(KEY))
    encrypted = np.asarray(defense.transform(vectors), np.float32)
    best = find_components(encrypted - encrypted.mean(axis=0), np.random.default_rng(0))[:BEST]
    text = np.linalg.svd(defense.rows_.astype(np.float64), full_matrices=False)[2]
    shares: Floats = np.square(best @ text.T).sum(axis=1)
    return shares


def find_components(white: Singles, rng: np.random.Generator) -> Singles:
    """Directions, one per row, the least Gaussian first, of rows whose covariance is the same in all directions."""
    order = rng.permutation(len(white))
    fitted, held = np.split(white[order], [2 * len(white) // 3])
    directions = np.linalg.qr(rng.standard_normal((white.shape[1], white.shape[1])))[0].astype(np.float32)
    for _ in range(STEPS):
        projected = fitted @ directions.T
        left, _, right = np.linalg.svd((projected**3).T @ fitted / len(fitted) - 3 * directions, full_matrices=False)
        directions = left @ right
    outlying = np.minimum(*(_measure_tails(rows @ directions.T) for rows in (fitted, held)))
    return directions[np.argsort(-outlying)]


def _measure_tails(projected: Singles) -> Floats:
    """Excess kurtosis per column: 0 for Gaussian noise, higher where few rows lie far out."""
    standard = (projected - projected.mean(axis=0)) / projected.std(axis=0)
    tails: Floats = (standard**4).mean(axis=0) - 3
    return tails
