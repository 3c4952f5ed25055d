"""A reader of attributes that need not learn: what no linear reader could tell is what vectors do not vary with.

A linear reader tells an attribute if and only if vectors and attribute are correlated (Belrose et al. 2023). So the
encoder goes down that correlation itself, as far as a batch shows it: over all pairs of two sentences, the likeness of
the vectors times the likeness of their classes. That is the Hilbert-Schmidt criterion of Gretton et al. 2005 with
linear kernels and without the pairs of a sentence with itself, which would only tell how long the vectors are.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from vestige.encoders.dual.opponents import NO_LABEL, Opponent, numbered


class AttributeOverlap(Opponent):
    """`strength` times the mean product of likenesses; 0 on average where vectors tell nothing.

    Two sentences of one class are alike by 1 / its share, less 1; two of different classes by -1.
    """

    def __init__(self, labels: Sequence[str | None], strength: float) -> None:
        super().__init__(strength)
        self.classes = numbered(labels)
        known = self.classes[self.classes != NO_LABEL]
        self.share = torch.bincount(known) / len(known)

    def loss(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """Vectors are centred, and measured by their mean square, so that it does not help to shrink them."""
        centred = vectors.float() - vectors.float().mean(dim=0)
        alike = centred @ centred.T / centred.detach().square().sum(dim=1).mean().clamp(min=1e-12)
        product = alike * self.likeness(rows)
        pairs = len(rows) * (len(rows) - 1)
        return self.strength * (product.sum() - product.diagonal().sum()) / max(pairs, 1)

    def likeness(self, rows: Sequence[int]) -> Tensor:
        """How like the classes of each two are, 0 on average; 0 where one has none."""
        classes = self.classes[list(rows)]
        known = (classes != NO_LABEL).float()
        same = (classes[:, None] == classes[None, :]) / self.share[classes.clamp(min=0)]
        return (same - 1) * known[:, None] * known[None, :]
