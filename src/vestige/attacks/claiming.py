"""From scores to claims: on which texts an attack decides, above which score it claims, what a score is worth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.text.split import split_documents
from vestige.types import Flags, Floats, Integers, Singles

HELD_OUT = 0.1
_THRESHOLDS = 200


@dataclass(frozen=True)
class Scored:
    """Candidate words of texts whose words are known.

    `scores` and `hits` are (texts, candidates), minus infinity where a candidate cannot be claimed; `sizes` counts the
    words of each text, those that are no candidates as well.
    """

    scores: Singles
    hits: Flags
    sizes: Integers

    def mean_f1(self, threshold: float) -> float:
        """The mean over texts of F1, claiming what scores above the threshold."""
        claimed = self.scores > threshold
        found = 2 * (claimed & self.hits).sum(axis=1) / np.maximum(claimed.sum(axis=1) + self.sizes, 1)
        return float(found[self.sizes > 0].mean()) if (self.sizes > 0).any() else 0.0

    def best_threshold(self) -> tuple[float, float]:
        """The best mean F1 and the threshold that reaches it, the lowest where several do."""
        possible = self.scores[np.isfinite(self.scores)]
        if not possible.size:
            return 0.0, 0.0
        cuts = np.quantile(possible, np.linspace(0, 1, _THRESHOLDS, endpoint=False))
        reached = [self.mean_f1(float(cut)) for cut in cuts]
        return max(reached), float(cuts[int(np.argmax(reached))])

    def calibration(self) -> Callable[[Singles], Floats]:
        """The chance that a candidate of this score is in the text, by isotonic regression."""
        from sklearn.isotonic import IsotonicRegression

        possible = np.isfinite(self.scores)
        if not possible.any():
            return lambda scores: np.zeros(scores.shape)
        fitted = IsotonicRegression(y_min=0.001, y_max=0.999).fit(self.scores[possible], self.hits[possible])
        return lambda scores: np.interp(scores, fitted.X_thresholds_, fitted.y_thresholds_)


def set_aside(count: int, documents: Sequence[str] | None, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Rows to learn from and a tenth to decide on, no document on both sides."""
    owners = documents if documents and len(set(documents)) > 1 else [str(row) for row in range(count)]
    split = split_documents(owners, HELD_OUT, rng)
    return np.array(split.auxiliary), np.array(split.target)
