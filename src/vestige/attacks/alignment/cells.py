"""Undo a key per cluster of vectors without any pair: find the clusters, and align each with one of one's own.

A rotation of its own moves every cell of a store to another place, so that a thief sees the cells as clusters. Which
cluster of the own vectors one corresponds to follows from numbers that no rotation changes: its size, the length of its
mean and its variances. The most similar ones are tried, and the alignment that fits best is kept.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vestige.attacks.alignment.align import Alignment, align
from vestige.attacks.surrogate.selection import cluster_centres
from vestige.types import Floats, Singles, Vectors

REDUCED = 64
"""Main directions in which a cell is aligned: a cell has too few rows for more."""

TRIED = 2
FEWEST = 60
"""Clusters of one's own that are tried for a cell, and the fewest rows of a cell that can be aligned."""


@dataclass(frozen=True)
class CellAlignment:
    """A map for each cell of the stolen vectors; rows of cells that were not aligned become the mean of own rows."""

    centres: Singles
    maps: dict[int, Callable[[Vectors], Singles]]
    mean: Singles
    scores: dict[int, float]

    def __call__(self, vectors: Vectors) -> Singles:
        """One row in, one row out."""
        cells = find_nearest(vectors, self.centres)
        found = np.repeat(self.mean[None], len(vectors), axis=0)
        for cell, own in self.maps.items():
            if (cells == cell).any():
                found[cells == cell] = own(vectors[cells == cell])
        return found


def align_cells(stolen: Vectors, own: Vectors, cells: int, *, rng: np.random.Generator) -> CellAlignment:
    """Align every cell of the stolen vectors that has enough rows."""
    centres, ours = (cluster_centres(np.asarray(rows, np.float32), cells, rng) for rows in (stolen, own))
    theirs, groups = find_nearest(stolen, centres), find_nearest(own, ours)
    mine = {cell: own[groups == cell] for cell in range(len(ours)) if (groups == cell).sum() >= FEWEST}
    shapes = {cell: describe_cell(rows, len(own)) for cell, rows in mine.items()}
    maps: dict[int, Callable[[Vectors], Singles]] = {}
    scores = {}
    for cell in range(len(centres)):
        rows = stolen[theirs == cell]
        if len(rows) < FEWEST or not mine:
            continue
        shape = describe_cell(rows, len(stolen))
        near = sorted(mine, key=lambda other: float(np.abs(shapes[other] - shape).sum()))[:TRIED]
        found = [_align_reduced(rows, mine[other], rng) for other in near]
        best = max(found, key=lambda each: each.fit)
        maps[cell], scores[cell] = best, best.fit
    return CellAlignment(centres, maps, own.mean(axis=0), scores)


def describe_cell(rows: Vectors, total: int) -> Floats:
    """Numbers of a cell that no rotation changes: the share of rows, the length of the mean, and the variances."""
    mean = rows.mean(axis=0)
    spread = np.linalg.svd(rows - mean, compute_uv=False)[:REDUCED] / np.sqrt(len(rows))
    found: Floats = np.concatenate([[len(rows) / total, np.linalg.norm(mean)], np.pad(spread, (0, REDUCED))[:REDUCED]])
    return found


@dataclass(frozen=True)
class ReducedAlignment:
    """An alignment in the main directions of both sides; `fit` says how near it comes to a right one."""

    mean: Singles
    axes: Singles
    inner: Alignment
    back: Singles
    origin: Singles

    @property
    def fit(self) -> float:
        """The score as a share of what is expected of a right map."""
        return self.inner.score / max(self.inner.expected, 1e-9)

    def __call__(self, vectors: Vectors) -> Singles:
        """One row in, one row out."""
        reduced = np.asarray((vectors - self.mean) @ self.axes.T, np.float32)
        return np.asarray(self.inner(reduced) @ self.back + self.origin, np.float32)


def _align_reduced(stolen: Vectors, own: Vectors, rng: np.random.Generator) -> ReducedAlignment:
    (mean, axes, theirs), (origin, back, ours) = map(_reduce, (stolen, own))
    return ReducedAlignment(mean, axes, align(theirs, ours, rng=rng), back, origin)


def _reduce(rows: Vectors) -> tuple[Singles, Singles, Singles]:
    """The mean, the main directions, and the rows in these."""
    mean = rows.mean(axis=0)
    _, _, axes = np.linalg.svd(rows - mean, full_matrices=False)
    main = np.asarray(axes[: min(REDUCED, len(rows) // 2)], np.float32)
    return mean, main, np.asarray((rows - mean) @ main.T, np.float32)


def find_nearest(rows: Vectors, centres: Singles) -> npt.NDArray[np.int64]:
    """The number of the centre nearest to each row."""
    nearest: npt.NDArray[np.int64] = (np.square(centres).sum(axis=1) - 2 * rows @ centres.T).argmin(axis=1)
    return nearest
