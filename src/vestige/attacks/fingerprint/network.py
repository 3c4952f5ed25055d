"""The classifier of Pan et al., Appendix D: vectors in, the encoder out, by a network with 200 hidden units."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vestige.types import Floats, Vectors

HIDDEN = 200


class Network:
    """One network for all encoders of a dimension. It knows no other, and names one of them for any vector."""

    def __init__(self, answers: Mapping[str, Vectors], rng: np.random.Generator) -> None:
        from sklearn.neural_network import MLPClassifier

        self.names = list(answers)
        self.model: Any = None
        if len(self.names) > 1:
            labels = np.repeat(np.arange(len(self.names)), [len(vectors) for vectors in answers.values()])
            model = MLPClassifier((HIDDEN,), random_state=int(rng.integers(2**31)), max_iter=200)
            self.model = model.fit(np.concatenate(list(answers.values())), labels)

    def chances(self, vectors: Vectors) -> Floats:
        """(vectors, encoders), each row adding up to one."""
        if self.model is None:
            return np.ones((len(vectors), 1))
        return np.asarray(self.model.predict_proba(vectors), dtype=np.float64)
