"""Fewer dimensions: a random projection, principal components, or the code of an autoencoder (Chen 2023, Section 6)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from vestige.checks import check_above, check_count
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.types import Singles, Vectors

_BATCH = 128

MOST_COLUMNS = 2**16
"""More than any encoder has; the matrix of a projection would not fit into memory."""


def _shares(dimension: int) -> Sequence[int]:
    return dimension // 2, dimension // 6, dimension // 24


class RandomProjection(FixedMap):
    """Vectors times a matrix of Gaussian numbers of variance 1 / `dimension`.

    Guarantee: none. For n vectors, all squared distances stay within a factor of 1 ± e, except for one draw in n, if
    `dimension` is at least 6 ln(n) / (e² / 2 - e³ / 3) (Johnson and Lindenstrauss; Dasgupta and Gupta 2003). An attack
    that relies on distances therefore still works.
    Shapes: (n, d) to (n, `dimension`), which may be as large as d or larger.
    Paper: Chen 2023, Section 6.0.2.
    """

    info = DefenseInfo(
        "projection",
        "projection:DIMENSION, fewer columns, each a random mixture of all",
        paper="Chen 2023, Section 6.0.2",
        strength="dimension",
        strengths=_shares,
        secret="the random mixture",
        explanation="Mixes all columns at random into fewer columns.",
    )
    learned: ClassVar[tuple[str, ...]] = ("matrix_",)
    matrix_: Singles

    def __init__(self, *, dimension: int = 64) -> None:
        self.dimension = dimension

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("dimension", self.dimension, 1, MOST_COLUMNS)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        drawn = rng.normal(0, self.dimension**-0.5, (vectors.shape[1], self.dimension))
        self.matrix_ = drawn.astype(np.float32)

    def _transform_block(self, vectors: Vectors) -> Singles:
        return vectors @ self.matrix_


class Truncation(FixedMap):
    """The first `dimension` columns. Encoders trained for it (Matryoshka) put the most useful columns first.

    Guarantee: none. For other encoders it is a choice of arbitrary columns.
    Shapes: (n, d) to (n, `dimension`), at most d.
    Paper: Kusupati et al., NeurIPS 2022.
    """

    info = DefenseInfo(
        "truncation",
        "truncation:DIMENSION, the first columns only, as for Matryoshka encoders",
        paper="Kusupati et al. 2022",
        strength="dimension",
        strengths=_shares,
        swept=False,
        explanation="Keeps the first columns and drops the rest; made for encoders that put most information first.",
    )

    def __init__(self, *, dimension: int = 64) -> None:
        self.dimension = dimension

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("dimension", self.dimension, 1)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        check_count("dimension", self.dimension, 1, vectors.shape[1])

    def _transform_block(self, vectors: Vectors) -> Singles:
        return np.ascontiguousarray(vectors[:, : self.dimension])


class PrincipalComponents(FixedMap):
    """The coordinates of centred vectors along the first `dimension` principal components.

    Guarantee: none. What many texts share stays, and most of what attacks recover is of that kind.
    Shapes: (n, d) to (n, `dimension`); `fit` requires at least `dimension` vectors.
    Paper: Chen 2023, Section 6.0.3.
    """

    info = DefenseInfo(
        "pca",
        "pca:DIMENSION, the directions of largest spread",
        paper="Chen 2023, Section 6.0.3",
        strength="dimension",
        strengths=_shares,
        explanation="Keeps the directions in which the vectors differ most from their mean, and drops the rest.",
    )
    learned: ClassVar[tuple[str, ...]] = ("mean_", "components_")
    mean_: Singles
    components_: Singles

    def __init__(self, *, dimension: int = 64) -> None:
        self.dimension = dimension

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("dimension", self.dimension, 1)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        check_count("dimension", self.dimension, 1, min(vectors.shape))
        mean = vectors.mean(axis=0, dtype=np.float64)
        _, directions = np.linalg.eigh((vectors - mean).T @ (vectors - mean))
        self.mean_ = mean.astype(np.float32)
        self.components_ = np.ascontiguousarray(directions.T[::-1][: self.dimension], np.float32)

    def _transform_block(self, vectors: Vectors) -> Singles:
        centred: Singles = vectors - self.mean_
        return centred @ self.components_.T


class SingularDirections(FixedMap):
    """The coordinates along the first `dimension` singular directions of vectors that are not centred.

    Cosines are taken from the origin, and principal components from the mean. Without the mean, neighbours change even
    if no direction is dropped; here they stay.
    Guarantee: none. What is dropped is what search needs least.
    Shapes: (n, d) to (n, `dimension`); `fit` requires at least `dimension` vectors.
    """

    info = DefenseInfo(
        "svd",
        "svd:DIMENSION, the directions that search by cosine needs most",
        strength="dimension",
        strengths=lambda dimension: (dimension // 2, dimension // 4),
        explanation="Keeps the directions that search needs most, and drops the rest.",
    )
    learned: ClassVar[tuple[str, ...]] = ("components_",)
    components_: Singles

    def __init__(self, *, dimension: int = 64) -> None:
        self.dimension = dimension

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("dimension", self.dimension, 1)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        check_count("dimension", self.dimension, 1, min(vectors.shape))
        rows = vectors.astype(np.float64)
        _, directions = np.linalg.eigh(rows.T @ rows)
        self.components_ = np.ascontiguousarray(directions.T[::-1][: self.dimension], np.float32)

    def _transform_block(self, vectors: Vectors) -> Singles:
        return vectors @ self.components_.T


class Autoencoder(FixedMap):
    """The output of the hidden layer of a network that is trained to reproduce its input.

    Guarantee: none.
    Shapes: (n, d) to (n, `dimension`).
    Paper: Chen 2023, Section 6.0.4: two layers, mean squared error. The rest is not stated (here: hyperbolic tangents
    on centred columns of mean variance 1, Adam at `rate`, batches of 128, `epochs` passes over the vectors).
    """

    info = DefenseInfo(
        "autoencoder",
        "autoencoder:DIMENSION, the hidden layer of a network that reproduces its input",
        paper="Chen 2023, Section 6.0.4",
        strength="dimension",
        strengths=lambda dimension: (dimension // 6,),
        explanation="A network squeezes vectors into fewer columns from which it can rebuild them.",
    )
    learned: ClassVar[tuple[str, ...]] = ("mean_", "weight_", "bias_")
    mean_: Singles
    weight_: Singles
    bias_: Singles

    def __init__(self, *, dimension: int = 64, epochs: int = 30, rate: float = 1e-3) -> None:
        self.dimension = dimension
        self.epochs = epochs
        self.rate = rate

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("dimension", self.dimension, 1)
        check_count("epochs", self.epochs, 1)
        check_above("rate", self.rate, 0)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        import torch

        self.mean_ = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        spread = max(float((vectors - self.mean_).std()), 1e-12)
        rows = torch.from_numpy((vectors - self.mean_) / spread)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            inward = torch.nn.Linear(rows.shape[1], self.dimension)
            outward = torch.nn.Linear(self.dimension, rows.shape[1])
        optimiser = torch.optim.Adam([*inward.parameters(), *outward.parameters()], lr=self.rate)
        for _ in range(self.epochs):
            for batch in torch.from_numpy(rng.permutation(len(rows))).split(_BATCH):
                loss = (outward(inward(rows[batch]).tanh()) - rows[batch]).square().mean()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
        self.weight_ = (inward.weight.detach().numpy() / spread).astype(np.float32)
        self.bias_ = inward.bias.detach().numpy().copy()

    def _transform_block(self, vectors: Vectors) -> Singles:
        return np.tanh((vectors - self.mean_) @ self.weight_.T + self.bias_)
