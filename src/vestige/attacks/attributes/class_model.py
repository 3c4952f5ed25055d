"""Classes as Gaussians whose means are Gaussian too: with few texts of a class, its mean is trusted less.

A vector is x = mean + b + w: b is the same for all texts of a class and has covariance B over classes, w is new for
every text and has covariance W (Ioffe 2006, "Probabilistic linear discriminant analysis"). Given n texts of a class, a
further one of it is Gaussian, in closed form. In coordinates in which W is the identity and B is diag(p), its mean is
the class mean times n·p / (n·p + 1), and its variance 1 + p / (n·p + 1). Settings, and the strength of the evidence,
are chosen on held-out texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

import numpy as np
from scipy import sparse

from vestige.types import Floats, Integers, Progress, Singles, Vectors, silent

SHRINKAGES = (0.1, 0.3, 0.5, 0.7, 0.9)
WEIGHTS = (0.25, 0.5, 1.0)
STRENGTHS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
FOLDS, ENOUGH = 5, 2000
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class ClassModelSettings:
    """`shrinkage` is how far W is drawn to a sphere, `weight` how many texts one text counts for.

    Texts of one document share more than texts of one class, so that a text counts for less than one.
    """

    shrinkage: float
    weight: float


DEFAULT = ClassModelSettings(shrinkage=0.5, weight=0.25)


@dataclass(frozen=True, slots=True)
class EvidenceStrength:
    """How strong the evidence of a model is, and the log loss per held-out text with that strength."""

    value: float
    loss: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The logits are the strength times the evidence plus the log of the prior."""

    settings: ClassModelSettings
    strength: EvidenceStrength

    def fit(self, vectors: Vectors, classes: Integers, names: int) -> "CalibratedModel":
        """Fit the model with these settings to all labelled vectors."""
        moments = ClassMoments.build(vectors, classes, names)
        model = ClassDirections.build(moments, self.settings.shrinkage).model(self.settings.weight)
        return CalibratedModel(model, self.strength.value, log_prior(moments.counts))


class EvidenceModel(Protocol):
    """Says how well a vector fits each class."""

    def evidence(self, vectors: Vectors) -> Singles:
        """One row per vector, one column per class."""


@dataclass(frozen=True)
class CalibratedModel:
    """A model of classes with the strength of its evidence and the prior of the classes."""

    model: EvidenceModel
    strength: float
    log_prior: Singles

    def logits(self, vectors: Vectors) -> Singles:
        """One row per vector, one column per class."""
        return np.float32(self.strength) * self.model.evidence(vectors) + self.log_prior


@dataclass(frozen=True)
class Folds:
    """Five folds of texts and five of documents; both empty if there is too little to fold.

    Holding out whole documents costs some classes most of their texts, so that settings chosen that way suit fewer
    texts; but only texts of other documents show how strong the evidence is.
    """

    texts: "list[Fold]"
    documents: "list[Fold]"

    @classmethod
    def split(
        cls, vectors: Vectors, classes: Integers, *, rng: np.random.Generator, documents: Sequence[str] | None = None
    ) -> "Folds":
        """Split labelled vectors; without `documents`, every text is one."""
        texts = list(_folds(vectors, classes, np.arange(len(classes)), rng))
        if not texts or documents is None:
            return cls(texts, texts)
        owners = np.unique(np.asarray(documents, dtype=np.str_), return_inverse=True)[1]
        return cls(texts, list(_folds(vectors, classes, owners, rng)) or texts)


def choose_settings(folds: Folds, progress: Progress = silent) -> Choice:
    """Settings by the log loss in folds of texts; the strength by that in folds of documents; or the defaults."""
    if not folds.texts:
        return Choice(DEFAULT, EvidenceStrength(STRENGTHS[2], np.inf))
    advance = progress("choosing settings", len(folds.texts) * len(SHRINKAGES))
    losses = np.zeros((len(SHRINKAGES), len(WEIGHTS), len(STRENGTHS)))
    for fold, (row, shrinkage) in product(folds.texts, enumerate(SHRINKAGES)):
        directions = ClassDirections.build(fold.moments, shrinkage)
        for column, weight in enumerate(WEIGHTS):
            evidence = directions.model(weight).evidence(fold.held)
            losses[row, column] += [fold.loss(evidence, strength) for strength in STRENGTHS]
        advance(1)
    best = np.unravel_index(losses.argmin(), losses.shape)
    settings = ClassModelSettings(SHRINKAGES[best[0]], WEIGHTS[best[1]])
    models = [
        ClassDirections.build(fold.moments, settings.shrinkage).model(settings.weight) for fold in folds.documents
    ]
    return Choice(settings, calibrate(folds.documents, models))


def _folds(vectors: Vectors, classes: Integers, owners: Integers, rng: np.random.Generator) -> "Iterator[Fold]":
    """Parts of nearly equally many owners, until enough texts are held out.

    Folds without anything to learn from or to hold out are skipped.
    """
    place, wanted = rng.permutation(int(owners.max()) + 1)[owners] % FOLDS, ENOUGH
    for fold in range(FOLDS):
        rest = place != fold
        names, numbers, counts = np.unique(classes[rest], return_inverse=True, return_counts=True)
        held = np.flatnonzero(~rest & np.isin(classes, names))
        if len(names) > 1 and counts.max() > 1 and len(held) and wanted > 0:
            held = np.sort(rng.permutation(held)[:wanted])
            wanted -= len(held)
            truth = np.searchsorted(names, classes[held])
            moments = ClassMoments.build(vectors[rest], numbers, len(names))
            yield Fold(moments, vectors[held], truth, vectors[rest], numbers)


@dataclass(frozen=True, slots=True)
class Fold:
    """The moments of all other folds with their rows and classes, and held-out vectors of classes that occur there."""

    moments: "ClassMoments"
    held: Vectors
    truth: Integers
    rest: Vectors
    classes: Integers

    def loss(self, evidence: Singles, strength: float) -> float:
        """The log loss, summed over the held-out texts."""
        logits = np.float32(strength) * evidence + log_prior(self.moments.counts)
        logits -= logits.max(axis=1, keepdims=True)
        right = logits[np.arange(len(self.truth)), self.truth]
        return float((np.log(np.exp(logits, out=logits).sum(axis=1)) - right).sum(dtype=np.float64))


def calibrate(folds: Sequence[Fold], models: Sequence[EvidenceModel]) -> EvidenceStrength:
    """The strength with the least log loss on held-out texts; one model per fold, fitted on the others."""
    from scipy.optimize import minimize_scalar

    found = [(fold, model.evidence(fold.held)) for fold, model in zip(folds, models, strict=True)]
    best = minimize_scalar(
        lambda log: sum(fold.loss(evidence, np.exp(log)) for fold, evidence in found),
        bounds=(np.log(1e-3), np.log(2)),
        method="bounded",
        options={"xatol": 0.01},
    )
    return EvidenceStrength(float(np.exp(best.x)), float(best.fun) / sum(len(fold.held) for fold in folds))


def log_prior(counts: Integers) -> Singles:
    """The log of each class's share of the labels."""
    return np.asarray(np.log(counts / counts.sum()), dtype=np.float32)


@dataclass(frozen=True)
class ClassMoments:
    """What the model needs of labelled vectors: counts and means of the classes, and the scatter within them."""

    mean: Floats
    counts: Integers
    means: Floats
    within: Floats

    @classmethod
    def build(cls, vectors: Vectors, classes: Integers, names: int) -> "ClassMoments":
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
class ClassDirections:
    """The coordinates in which W is the identity and the scatter of class means is diag(`spread`)."""

    moments: "ClassMoments"
    axes: Floats
    spread: Floats

    @classmethod
    def build(cls, moments: ClassMoments, shrinkage: float) -> "ClassDirections":
        """Directions in which the class means do not spread separate no classes and are dropped."""
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

    def model(self, weight: float) -> "ClassModel":
        """The spread of the means is that of the classes plus that of the noise, which is subtracted."""
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
    """The directions in which the columns spread and how much, computed from the smaller of the two products."""
    few = columns.shape[1] < columns.shape[0]
    spread, vectors = np.linalg.eigh(columns.T @ columns if few else columns @ columns.T)
    spanning = spread > _LEAST
    sides = columns @ (vectors[:, spanning] / np.sqrt(spread[spanning])) if few else vectors[:, spanning]
    return sides, spread[spanning]


@dataclass(frozen=True)
class ClassModel:
    """`evidence` is the log likelihood of each class for each vector, up to a constant per vector."""

    mean: Singles
    directions: Singles
    slopes: Singles
    curvatures: Singles
    offsets: Singles

    def evidence(self, vectors: Vectors) -> Singles:
        """One row per vector, one column per class."""
        seen = np.asarray((vectors - self.mean) @ self.directions, dtype=np.float32)
        return np.asarray(seen @ self.slopes - np.square(seen) @ self.curvatures + self.offsets)
