"""How similar two consecutive sentences are: by a projection, a ratio of Gaussians, or both combined with labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.membership.neighbours import SentencePairs
from vestige.nn.stopping import LossWatch
from vestige.types import Flags, Floats, Integers, Progress, Singles, TrainingLog, Vectors, silent

if TYPE_CHECKING:
    import torch

FOLDS = 5
PRIOR_PAIRS = 20
"""The pooled variance of both classes counts as many pairs in the variance of each."""
EPOCHS, RATE, BATCH = 10, 1e-3, 128


@dataclass(frozen=True)
class LearnedSimilarity:
    """A ratio of Gaussians, the dot product and the lengths, combined by logistic regression into log odds.

    With vectors of a `reference` encoder that did not learn from the pair, their dot product and lengths are combined
    as well: they show how similar the two sentences are without training on them.
    """

    ratio: "GaussianRatio"
    weights: Floats
    bias: float

    @classmethod
    def fit(
        cls,
        vectors: Vectors,
        pairs: SentencePairs,
        members: Flags,
        documents: Sequence[str],
        *,
        reference: SentencePairs | None,
        rng: np.random.Generator,
    ) -> Self:
        """Weights from cross-fitted ratios; `documents` and `members` are those of the pairs."""
        from sklearn.linear_model import LogisticRegression

        folds = _folds(documents, members, rng)
        ratios = np.empty(len(members))
        for fold in range(folds.max() + 1):
            held = folds == fold
            ratios[held] = GaussianRatio.fit(vectors, pairs.take(~held), members[~held]).scores(pairs.take(held))
        columns = _columns(ratios, pairs, reference)
        centre, scale = columns.mean(axis=0), columns.std(axis=0).clip(min=np.finfo(np.float64).tiny)
        regression = LogisticRegression().fit((columns - centre) / scale, members)
        weights: Floats = regression.coef_[0] / scale
        bias = float(regression.intercept_[0] - centre @ weights)
        return cls(GaussianRatio.fit(vectors, pairs, members), weights, bias)

    def scores(self, pairs: SentencePairs, reference: SentencePairs | None = None) -> Floats:
        """The log odds of each pair."""
        values: Floats = _columns(self.ratio.scores(pairs), pairs, reference) @ self.weights + self.bias
        return values


def _columns(ratios: Floats, pairs: SentencePairs, reference: SentencePairs | None) -> Floats:
    sources = [pairs] if reference is None else [pairs, reference]
    return np.column_stack([ratios, *(column for each in sources for column in (each.products, each.squares))])


def _folds(documents: Sequence[str], members: Flags, rng: np.random.Generator) -> Integers:
    """The fold of each pair; the documents of either class are distributed separately."""
    fold: dict[str, int] = {}
    named = list(zip(documents, members.tolist(), strict=True))
    sides = [sorted({name for name, member in named if member == side}) for side in (True, False)]
    count = min(FOLDS, *map(len, sides))
    for names in sides:
        fold |= {names[place]: turn % count for turn, place in enumerate(rng.permutation(len(names)))}
    return np.array([fold[name] for name in documents], dtype=np.int64)


@dataclass(frozen=True)
class GaussianRatio:
    """Sums and differences of neighbours along principal directions, as Gaussians of members and of others.

    A difference shows how alike two sentences are, a sum how strongly the encoder represents them; members have small
    differences and large sums. Directions are treated as independent, so that a few hundred pairs are enough.
    """

    centre: Floats
    directions: Floats
    members: "Gaussian"
    others: "Gaussian"

    @classmethod
    def fit(cls, vectors: Vectors, pairs: SentencePairs, members: Flags) -> Self:
        """Directions from all `vectors`, Gaussians from the labelled pairs."""
        centre = vectors.mean(axis=0, dtype=np.float64)
        directions = np.linalg.eigh(np.cov(vectors.T.astype(np.float64)).reshape(len(centre), -1)).eigenvectors
        rows = _sums_and_differences(pairs, centre, directions)
        pooled = rows.var(axis=0) + np.finfo(np.float64).tiny
        return cls(centre, directions, *(_gaussian(rows[side], pooled) for side in (members, ~members)))

    def scores(self, pairs: SentencePairs) -> Floats:
        """The logarithm of the ratio of the two densities; the same whichever sentence comes first."""
        rows = _sums_and_differences(pairs, self.centre, self.directions)
        return self.members.log_density(rows) - self.others.log_density(rows)


def _sums_and_differences(pairs: SentencePairs, centre: Floats, directions: Floats) -> Floats:
    """Sums, then differences; the order of a pair carries no information, so that differences have mean 0."""
    left, right = ((side - centre) @ directions for side in (pairs.first, pairs.second))
    return np.hstack([left + right, left - right])


def _gaussian(rows: Floats, pooled: Floats) -> "Gaussian":
    mean = rows.mean(axis=0)
    mean[rows.shape[1] // 2 :] = 0
    spread = np.square(rows - mean).sum(axis=0) + PRIOR_PAIRS * pooled
    return Gaussian(mean, spread / (len(rows) + PRIOR_PAIRS))


@dataclass(frozen=True)
class Gaussian:
    """Independent columns: `mean` and `variance` of each."""

    mean: Floats
    variance: Floats

    def log_density(self, rows: Floats) -> Floats:
        """Of each row, up to a constant that all Gaussians of as many columns share."""
        terms = np.square(rows - self.mean) / self.variance + np.log(self.variance)
        values: Floats = -0.5 * terms.sum(axis=1)
        return values


@dataclass(frozen=True)
class Projection:
    """`((a - centre) @ matrix) . ((b - centre) @ matrix)` for each pair (a, b)."""

    centre: Singles
    matrix: Singles

    def scores(self, pairs: SentencePairs) -> Floats:
        """How similar the two of each pair are."""
        sides = (pairs.first, pairs.second)
        left, right = (np.asarray((side - self.centre) @ self.matrix, dtype=np.float32) for side in sides)
        return SentencePairs(left, right).products


def identity_projection(columns: int) -> Projection:
    """The plain dot product, as in the paper."""
    return Projection(np.zeros(columns, dtype=np.float32), np.eye(columns, dtype=np.float32))


def whitening_projection(vectors: Vectors) -> Projection:
    """Centred, and divided along each principal direction by the root of its variance plus the mean variance.

    A few directions of large variance, which carry the topic, no longer dominate the many in which sentences that were
    trained on together agree.
    """
    centre = vectors.mean(axis=0)
    spread, directions = np.linalg.eigh(np.cov(vectors.T.astype(np.float64)).reshape(len(centre), -1))
    return Projection(centre, (directions / np.sqrt(spread + spread.mean())).astype(np.float32))


def train_projection(
    pairs: SentencePairs,
    members: Flags,
    *,
    rng: np.random.Generator,
    device: "torch.device",
    epochs: int = EPOCHS,
    progress: Progress = silent,
) -> tuple[Projection, TrainingLog]:
    """W_m of Equation 10: Adam 1e-3, 10 epochs, from the identity, so that it starts as the dot product.

    Equation 10 requires a similarity between 0 and 1; here it is the sigmoid of the dot product. The paper states
    neither that nor the start nor the batch. Labels are too few to hold some out, so that the training loss says
    whether it has converged.
    """
    import torch

    plain = identity_projection(pairs.first.shape[1])
    matrix = torch.nn.Parameter(torch.from_numpy(plain.matrix.copy()).to(device))
    optimiser = torch.optim.Adam([matrix], lr=RATE)
    given = (pairs.first, pairs.second, members.astype(np.float32))
    left, right, truth = (torch.from_numpy(table).to(device) for table in given)
    watch, advance = LossWatch(epochs, of="training loss"), progress("learning a similarity as published", epochs)
    for _ in range(epochs):
        total = 0.0
        for rows in torch.from_numpy(rng.permutation(len(members))).to(device).split(BATCH):
            products = ((left[rows] @ matrix) * (right[rows] @ matrix)).sum(dim=1)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(products, truth[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(rows)
        watch.update(total / len(members))
        advance(1)
    return Projection(plain.centre, matrix.detach().cpu().numpy()), watch.log()
