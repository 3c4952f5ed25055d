"""The linear classifier of Song and Raghunathan (Section 6.3): softmax, Adam 1e-3, batches of 128, 30 epochs."""

from dataclasses import dataclass

import numpy as np

from vestige.types import Integers, Progress, Singles, Vectors, silent

EPOCHS, RATE, BATCH = 30, 1e-3, 128


@dataclass(frozen=True)
class LinearSoftmax:
    """`logits(x) = x @ weights + bias`."""

    weights: Singles
    bias: Singles

    def logits(self, vectors: Vectors) -> Singles:
        """A row a vector, a column a class."""
        return np.asarray(vectors @ self.weights + self.bias)


def train_softmax(
    vectors: Vectors, classes: Integers, names: int, *, rng: np.random.Generator, progress: Progress = silent
) -> LinearSoftmax:
    """As published: no penalty, no schedule, vectors as they come."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        model = torch.nn.Linear(vectors.shape[1], names)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    inputs, truth = torch.from_numpy(vectors), torch.from_numpy(classes)
    advance = progress("fitting the attack as published", EPOCHS)
    for _ in range(EPOCHS):
        for rows in torch.from_numpy(rng.permutation(len(vectors))).split(BATCH):
            loss = torch.nn.functional.cross_entropy(model(inputs[rows]), truth[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        advance(1)
    return LinearSoftmax(model.weight.detach().numpy().T.copy(), model.bias.detach().numpy().copy())
