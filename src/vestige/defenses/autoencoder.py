"""The code of an autoencoder (C9): fewer columns, and not by a linear map."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.checks import check_above, check_count
from vestige.defenses.defense import FixedMap
from vestige.types import Singles, Vectors

_BATCH = 128


class Autoencoder(FixedMap):
    """What the hidden layer gives of a network that writes its input again.

    Guarantee: none.
    Shapes: (n, d) to (n, `dimension`).
    Paper: Chen 2023, Section 6.0.4: two layers, mean squared error. The rest is not stated (here: hyperbolic tangents
    on centred columns of mean variance 1, Adam at `rate`, batches of 128, `epochs` times through the vectors).
    """

    strength: ClassVar[str | None] = "dimension"
    learned: ClassVar[tuple[str, ...]] = ("mean_", "weight_", "bias_")
    mean_: Singles
    weight_: Singles
    bias_: Singles

    def __init__(self, *, dimension: int = 64, epochs: int = 30, rate: float = 1e-3) -> None:
        self.dimension = dimension
        self.epochs = epochs
        self.rate = rate

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_count("dimension", self.dimension, 1)
        check_count("epochs", self.epochs, 1)
        check_above("rate", self.rate, 0)

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
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

    def _map(self, vectors: Vectors) -> Singles:
        return np.tanh((vectors - self.mean_) @ self.weight_.T + self.bias_)
