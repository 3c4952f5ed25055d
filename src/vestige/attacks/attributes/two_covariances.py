"""Classes as Gaussians whose means are Gaussian too: the few texts of a class say how far to trust their mean.

A vector is x = mean + b + w: b is the same for all texts of a class and has covariance B over classes, w is new for
every text and has covariance W (Ioffe 2006, "Probabilistic linear discriminant analysis"). Given n texts of a class, a
further one of it is Gaussian, in closed form. In coordinates in which W is the identity and B is diag(p), its mean is
the class mean times n·p / (n·p + 1), and its variance 1 + p / (n·p + 1).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.types import Floats, Integers, Singles, Vectors

_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Settings:
    """`shrinkage` is how far W is drawn to a sphere, `weight` how many texts one text counts for.

    Texts of one document share more than texts of one class do, so that a text is worth less than one.
    """

    shrinkage: float
    weight: float


@dataclass(frozen=True)
class Moments:
    """What the model needs of labelled vectors: counts and means of the classes, and the scatter within them."""

    mean: Floats
    counts: Integers
    means: Floats
    within: Floats

    @classmethod
    def of(cls, vectors: Vectors, classes: Integers, names: int) -> "Moments":
        """Classes are numbered from 0 to below `names`, and each has a row."""
        mean = vectors.mean(axis=0, dtype=np.float64)
        centred = vectors - mean.astype(np.float32)
        counts = np.bincount(classes, minlength=names)
        belongs = sparse.csr_array((np.ones(len(classes), np.float32), (classes, np.arange(len(classes)))))
        means = (belongs @ centred).astype(np.float64) / counts[:, None]
        rest = centred - means.astype(np.float32)[classes]
        scatter = (rest.T @ rest).astype(np.float64) / max(len(vectors) - names, 1)
        return cls(mean, counts, means, scatter)


@dataclass(frozen=True)
class ClassModel:
    """`evidence` is the log likelihood of each class for each vector, up to a constant a vector."""

    mean: Singles
    directions: Singles
    slopes: Singles
    curvatures: Singles
    offsets: Singles

    def evidence(self, vectors: Vectors) -> Singles:
        """A row a vector, a column a class."""
        seen = np.asarray((vectors - self.mean) @ self.directions, dtype=np.float32)
        return np.asarray(seen @ self.slopes - np.square(seen) @ self.curvatures + self.offsets)


@dataclass(frozen=True)
class Directions:
    """The coordinates in which W is the identity and the scatter of class means is diag(`spread`)."""

    moments: Moments
    axes: Floats
    spread: Floats

    @classmethod
    def of(cls, moments: Moments, shrinkage: float) -> "Directions":
        """Directions in which the class means do not spread tell no class from another, and are left out."""
        from scipy.linalg import cholesky, solve_triangular

        columns, texts = len(moments.mean), moments.counts.sum()
        scaled = moments.means * np.sqrt(moments.counts / texts)[:, None]
        level = np.trace(moments.within) / columns
        level = max(level, _LEAST * float(np.square(scaled).sum()) / columns) or 1.0
        within = (1 - shrinkage) * moments.within
        within[np.diag_indices(columns)] += shrinkage * level
        root = cholesky(within, lower=True)
        whitened = solve_triangular(root, scaled.T, lower=True)
        sides, spread = _principal(whitened)
        return cls(moments, solve_triangular(root.T, sides, lower=False), spread)

    def model(self, weight: float) -> ClassModel:
        """The spread of the means is that of the classes and that of the noise, which is taken off."""
        counts = self.moments.counts[:, None] * weight
        noise = (len(counts) - 1) / counts.sum()
        between = np.maximum(self.spread - noise, 0)
        gain = counts * between / (counts * between + 1)
        variance = 1 + between / (counts * between + 1)
        means = gain * (self.moments.means @ self.axes)
        offsets = -0.5 * (np.square(means) / variance + np.log(variance)).sum(axis=1)
        parts = (self.moments.mean, self.axes, (means / variance).T, (0.5 / variance).T, offsets)
        return ClassModel(*(np.ascontiguousarray(part, dtype=np.float32) for part in parts))


def _principal(columns: Floats) -> tuple[Floats, Floats]:
    """The directions in which the columns spread and how much, found from the smaller of the two products."""
    few = columns.shape[1] < columns.shape[0]
    spread, vectors = np.linalg.eigh(columns.T @ columns if few else columns @ columns.T)
    there = spread > _LEAST
    sides = columns @ (vectors[:, there] / np.sqrt(spread[there])) if few else vectors[:, there]
    return sides, spread[there]
