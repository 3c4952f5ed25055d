"""Undo a secret map of unknown kind without any pair: run the attack on each kind that the stolen vectors show.

Every map gets the alignment by one rotation. Two kinds can be recognised. A key per cluster makes the clusters more
distinct than those of one's own text. Encryption with columns of noise has more columns than the encoder. Each then has
an attack of its own, and stolen rows that no attack was fitted to decide between them.
"""

from collections.abc import Callable

import numpy as np

from vestige.attacks.alignment.align import align
from vestige.attacks.alignment.cells import align_cells, find_nearest
from vestige.attacks.ridge import ridge_map
from vestige.attacks.rows import unit_length
from vestige.attacks.surrogate.selection import cluster_centres
from vestige.types import Vectors

COUNTS = (2, 4, 8, 16, 32)
"""Numbers of cells that are considered."""

MEASURED = 1500
"""Rows of each side that show whether there are cells."""

DISTINCT = 2.0
"""A store has cells if its clusters are this many times as distinct as those of one's own text."""

HELD_OUT = 5
"""Every fifth stolen row decides between the attacks."""

SEARCHED = 4000
"""Own rows among which the nearest one is searched."""

Map = Callable[[Vectors], Vectors]
"""From stolen vectors to the space of one's own."""

Encrypt = Callable[[Vectors, int], Vectors]
"""Encrypts one's own vectors under a key of one's own, with that many columns of noise."""


def align_any(stolen: Vectors, own: Vectors, *, encrypt: Encrypt, rng: np.random.Generator) -> Map:
    """The map of the attack whose result looks most like one's own vectors."""
    cells = count_cells(stolen, own, rng)
    noise = stolen.shape[1] - own.shape[1]
    if cells == 1 and noise <= 0:
        return align(stolen, own, rng=rng)
    unseen = np.arange(len(stolen)) % HELD_OUT == 0
    seen = stolen[~unseen]
    found: list[Map] = [align(seen, own, rng=rng)]
    if cells > 1:
        found.append(align_cells(seen, own, cells, rng=rng))
    if noise > 0:
        found.append(align_encrypted(seen, own, encrypt(own, noise), rng))
    return max(found, key=lambda each: measure_fit(each(stolen[unseen]), own))


def align_encrypted(stolen: Vectors, own: Vectors, encrypted: Vectors, rng: np.random.Generator) -> Map:
    """Align with one's own vectors under a key of one's own; then undo that key, which one knows from all rows."""
    aligned = align(stolen, encrypted, rng=rng)
    held = np.arange(len(own)) % HELD_OUT == 0
    decrypt = ridge_map(encrypted, own, np.flatnonzero(~held), np.flatnonzero(held))
    return lambda vectors: decrypt(aligned(vectors))


def measure_fit(mapped: Vectors, own: Vectors) -> float:
    """The mean cosine, around the mean of the own rows, of a mapped row to the nearest own one."""
    mean = own.mean(axis=0)
    found, among = (unit_length(np.asarray(rows - mean, np.float32)) for rows in (mapped, own[:SEARCHED]))
    return float((found @ among.T).max(axis=1).mean())


def count_cells(stolen: Vectors, own: Vectors, rng: np.random.Generator) -> int:
    """How many clusters have a key of their own; 1 if the clusters are about as distinct as those of one's own text."""
    theirs, ours = _measure_clusters(stolen, rng), _measure_clusters(own, rng)
    best = max(theirs, key=lambda count: theirs[count], default=1)
    return best if best > 1 and theirs[best] > DISTINCT * max(ours.get(best, 0), 0) else 1


def _measure_clusters(vectors: Vectors, rng: np.random.Generator) -> dict[int, float]:
    """The mean silhouette of the rows by number of clusters (Rousseeuw 1987)."""
    from sklearn.metrics import silhouette_score

    rows = np.asarray(vectors[rng.permutation(len(vectors))[:MEASURED]], np.float32)
    found = {}
    for count in COUNTS:
        nearest = find_nearest(rows, cluster_centres(rows, count, rng)) if len(rows) > count else np.zeros(1)
        if 1 < len(np.unique(nearest)) < len(rows):
            found[count] = float(silhouette_score(rows, nearest))
    return found
