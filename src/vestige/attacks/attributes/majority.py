"""The prior of attribute inference: how frequent each label is."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from vestige.attacks.attributes.labels import as_labels
from vestige.errors import NotFitted
from vestige.types import LabelGuesses, Vectors


class MajorityLabel:
    """Guesses by frequency, the same for every text: the most frequent label first.

    The adversary sees: labels only.
    """

    def fit(self, labels: Sequence[str | None]) -> Self:
        """Count the labels."""
        known = as_labels(labels, len(labels), of="texts")
        self.labels_, self.shares_ = known.names, known.counts / len(known.rows)
        return self

    def infer(self, vectors: Vectors | Sequence[str]) -> LabelGuesses:
        """The shares, once a vector; the vectors are counted and not looked at."""
        if not hasattr(self, "shares_"):
            raise NotFitted("MajorityLabel.infer was called before fit; call fit(labels) first")
        return LabelGuesses(self.labels_, np.tile(self.shares_, (len(vectors), 1)))
