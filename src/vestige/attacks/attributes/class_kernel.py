"""Classes by a kernel: a vector belongs to the class of the labelled vectors around it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.attributes.class_model import CalibratedModel, EvidenceStrength, Fold, calibrate, log_prior
from vestige.attacks.kernel_ridge import KernelMap
from vestige.types import Floats, Integers, Singles, Vectors

GAMMAS = (1.0, 2.0, 4.0)
MOST_COMPARED, MOST_FITTED = 2000, 8000
"""Labelled rows that a kernel is chosen with, and fitted on: the time grows with their cube."""


@dataclass(frozen=True, slots=True)
class KernelChoice:
    """The width of the kernel, and how strong its evidence is."""

    gamma: float
    strength: EvidenceStrength

    def fit(self, vectors: Vectors, classes: Integers, names: int) -> CalibratedModel:
        """Fit the kernel to all labelled vectors, or to as many as it can take."""
        model = KernelModel.fit(vectors, classes, names, self.gamma, MOST_FITTED)
        return CalibratedModel(model, self.strength.value, log_prior(np.bincount(classes, minlength=names)))


@dataclass(frozen=True)
class KernelModel:
    """The evidence for a class is by how much its share around a vector exceeds its share of all labels."""

    excess: KernelMap
    shares: Floats

    @classmethod
    def fit(cls, vectors: Vectors, classes: Integers, names: int, gamma: float, most: int) -> "KernelModel":
        """Fit to at most `most` rows, evenly spaced."""
        kept = np.linspace(0, len(classes) - 1, min(len(classes), most)).astype(int)
        shares = np.bincount(classes, minlength=names) / len(classes)
        return cls(KernelMap.fit(vectors[kept], np.eye(names)[classes[kept]] - shares, gamma), shares)

    def evidence(self, vectors: Vectors) -> Singles:
        """One row per vector, one column per class."""
        return np.asarray(self.excess(vectors) / self.shares, dtype=np.float32)


def choose_kernel(folds: Sequence[Fold]) -> KernelChoice | None:
    """The width with the least log loss on held-out documents; None if there is too little to fold."""
    if not folds:
        return None
    choices = [KernelChoice(gamma, _calibrate(folds, gamma)) for gamma in GAMMAS]
    return min(choices, key=lambda choice: choice.strength.loss)


def _calibrate(folds: Sequence[Fold], gamma: float) -> EvidenceStrength:
    models = [
        KernelModel.fit(fold.rest, fold.classes, len(fold.moments.counts), gamma, MOST_COMPARED) for fold in folds
    ]
    return calibrate(folds, models)
