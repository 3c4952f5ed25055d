"""Similarity after a projection: a dot product as it comes, in an even spread of directions, or learned (Eq. 10)."""

from dataclasses import dataclass

import numpy as np

from vestige.attacks.membership.neighbours import Pairs
from vestige.types import Flags, Floats, Progress, Singles, Vectors, silent

EPOCHS, RATE, BATCH = 10, 1e-3, 128


@dataclass(frozen=True)
class Projection:
    """`((a - centre) @ matrix) . ((b - centre) @ matrix)` for each pair (a, b)."""

    centre: Singles
    matrix: Singles

    def scores(self, pairs: Pairs) -> Floats:
        """How similar the two of each pair are."""
        sides = (pairs.first, pairs.second)
        left, right = (np.asarray((side - self.centre) @ self.matrix, dtype=np.float32) for side in sides)
        return Pairs(left, right).products


def as_it_comes(columns: int) -> Projection:
    """The dot product, as the paper has it."""
    return Projection(np.zeros(columns, dtype=np.float32), np.eye(columns, dtype=np.float32))


def evened(vectors: Vectors) -> Projection:
    """Centred, and divided along each principal direction by the root of its variance plus the mean variance.

    A few directions of large variance, which tell what texts are about, no longer drown the many in which sentences
    that were learned side by side came to agree.
    """
    centre = vectors.mean(axis=0)
    spread, directions = np.linalg.eigh(np.cov(vectors.T.astype(np.float64)).reshape(len(centre), -1))
    return Projection(centre, (directions / np.sqrt(spread + spread.mean())).astype(np.float32))


def learned(pairs: Pairs, members: Flags, *, rng: np.random.Generator, progress: Progress = silent) -> Projection:
    """W_m of Eq. 10: Adam 1e-3, 10 epochs, from the identity on, so that it starts as the dot product.

    Eq. 10 asks for a similarity between 0 and 1; it is the sigmoid of the dot product. The paper states neither that
    nor the start nor the batch.
    """
    import torch

    plain = as_it_comes(pairs.first.shape[1])
    matrix = torch.nn.Parameter(torch.from_numpy(plain.matrix.copy()))
    optimiser = torch.optim.Adam([matrix], lr=RATE)
    left, right, truth = map(torch.from_numpy, (pairs.first, pairs.second, members.astype(np.float32)))
    advance = progress("learning a similarity as published", EPOCHS)
    for _ in range(EPOCHS):
        for rows in torch.from_numpy(rng.permutation(len(members))).split(BATCH):
            products = ((left[rows] @ matrix) * (right[rows] @ matrix)).sum(dim=1)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(products, truth[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        advance(1)
    return Projection(plain.centre, matrix.detach().numpy())
