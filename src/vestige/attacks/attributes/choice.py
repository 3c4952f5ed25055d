"""Settings of the class model that held-out texts speak for, and how strongly to believe its evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from vestige.attacks.attributes.two_covariances import ClassModel, Directions, Moments, Settings
from vestige.types import Integers, Progress, Singles, Vectors, silent

SHRINKAGES = (0.1, 0.3, 0.5, 0.7, 0.9)
WEIGHTS = (0.25, 0.5, 1.0)
STRENGTHS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
USUAL = Settings(shrinkage=0.5, weight=0.25)
FOLDS, ENOUGH = 5, 2000


@dataclass(frozen=True, slots=True)
class Choice:
    """The logits are `strength` times the evidence, and the log of the prior."""

    settings: Settings
    strength: float

    def fit(self, vectors: Vectors, classes: Integers, names: int) -> "Believed":
        """With these settings, from all labelled vectors."""
        moments = Moments.of(vectors, classes, names)
        model = Directions.of(moments, self.settings.shrinkage).model(self.settings.weight)
        return Believed(model, self.strength, log_prior(moments.counts))


@dataclass(frozen=True)
class Believed:
    """A class model as far as it is to be believed."""

    model: ClassModel
    strength: float
    log_prior: Singles

    def logits(self, vectors: Vectors) -> Singles:
        """A row a vector, a column a class."""
        return np.float32(self.strength) * self.model.evidence(vectors) + self.log_prior


@dataclass(frozen=True, slots=True)
class Fold:
    """What is learned from all other folds, and held-out vectors of classes that occur there."""

    moments: Moments
    held: Vectors
    truth: Integers

    def loss(self, evidence: Singles, strength: float) -> float:
        """The log loss, summed over the held-out texts."""
        logits = np.float32(strength) * evidence + log_prior(self.moments.counts)
        logits -= logits.max(axis=1, keepdims=True)
        right = logits[np.arange(len(self.truth)), self.truth]
        return float((np.log(np.exp(logits, out=logits).sum(axis=1)) - right).sum(dtype=np.float64))


def choose(
    vectors: Vectors,
    classes: Integers,
    *,
    rng: np.random.Generator,
    documents: Sequence[str] | None = None,
    progress: Progress = silent,
) -> Choice:
    """Settings by the log loss in five folds of texts; the strength by that in five folds of documents.

    To leave whole documents out costs some classes most of their texts, and settings chosen that way are those for
    fewer; but only texts of other documents tell how much the evidence is worth. With too little to fold, the usual
    settings are taken.
    """
    owners = np.arange(len(classes))
    folds = list(_folds(vectors, classes, owners, rng))
    if not folds:
        return Choice(USUAL, STRENGTHS[2])
    advance = progress("choosing settings", len(folds) * len(SHRINKAGES))
    losses = np.zeros((len(SHRINKAGES), len(WEIGHTS), len(STRENGTHS)))
    for fold, (row, shrinkage) in product(folds, enumerate(SHRINKAGES)):
        directions = Directions.of(fold.moments, shrinkage)
        for column, weight in enumerate(WEIGHTS):
            evidence = directions.model(weight).evidence(fold.held)
            losses[row, column] += [fold.loss(evidence, strength) for strength in STRENGTHS]
        advance(1)
    best = np.unravel_index(losses.argmin(), losses.shape)
    settings = Settings(SHRINKAGES[best[0]], WEIGHTS[best[1]])
    if documents is not None:
        owners = np.unique(np.asarray(documents, dtype=np.str_), return_inverse=True)[1]
        folds = list(_folds(vectors, classes, owners, rng)) or folds
    return Choice(settings, _strength(folds, settings))


def log_prior(counts: Integers) -> Singles:
    """How frequent each class was among the labels."""
    return np.asarray(np.log(counts / counts.sum()), dtype=np.float32)


def _strength(folds: list[Fold], settings: Settings) -> float:
    from scipy.optimize import minimize_scalar

    models = [Directions.of(fold.moments, settings.shrinkage).model(settings.weight) for fold in folds]
    found = [(fold, model.evidence(fold.held)) for fold, model in zip(folds, models, strict=True)]
    best = minimize_scalar(
        lambda log: sum(fold.loss(evidence, np.exp(log)) for fold, evidence in found),
        bounds=(np.log(1e-3), np.log(2)),
        method="bounded",
        options={"xatol": 0.01},
    )
    return float(np.exp(best.x))


def _folds(vectors: Vectors, classes: Integers, owners: Integers, rng: np.random.Generator) -> Iterator[Fold]:
    """Parts of nearly as many owners, until enough texts were held out.

    Those that leave nothing to learn or nothing to hold are passed over.
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
            yield Fold(Moments.of(vectors[rest], numbers, len(names)), vectors[held], truth)
