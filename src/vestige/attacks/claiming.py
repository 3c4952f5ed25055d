"""From scores to claims: on which texts an attack decides, above which score it claims, what a score is worth."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.types import Flags, Floats, Integers, Singles

HELD_OUT = 0.1
_THRESHOLDS = 200


@dataclass(frozen=True)
class Decision:
    """How much the evidence weighs, above which score a word is claimed, and what a score is worth as a probability."""

    strength: float
    threshold: float
    probability: Callable[[Singles], Floats]


@dataclass(frozen=True)
class Scored:
    """Candidate words of texts whose words are known.

    `scores` and `hits` are (texts, candidates), minus infinity where a candidate cannot be claimed. `worth` is what
    each candidate counts, `sizes` what all words of each text count, those that are no candidates as well.
    """

    scores: Singles
    hits: Flags
    sizes: Integers | Singles
    worth: Singles | float = 1.0

    def mean_f1(self, threshold: float) -> float:
        """The mean over texts of F1, claiming what scores above the threshold."""
        claimed = (self.scores > threshold) * self.worth
        found = 2 * (claimed * self.hits).sum(axis=1) / np.maximum(claimed.sum(axis=1) + self.sizes, 1e-9)
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


def decide(tried: Mapping[float, Scored]) -> Decision:
    """The strength with the best mean F1, the first where several reach it, with its threshold and calibration."""
    reached = {strength: scored.best_threshold() for strength, scored in tried.items()}
    strength = max(reached, key=lambda strength: reached[strength][0])
    return Decision(strength, reached[strength][1], tried[strength].calibration())


def set_aside(count: int, documents: Sequence[str] | None, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Rows to learn from and a tenth to decide on, each in rising order, no document on both sides.

    Documents are drawn until they have a tenth of the rows, passing over any that would take them past half. Where none
    is small enough, as where there is but one, rows are drawn instead, and its rows stand on both sides.
    """
    held = _drawn(range(count) if documents is None else documents, rng)
    if not held.any():
        held = _drawn(range(count), rng)
    return np.flatnonzero(~held), np.flatnonzero(held)


def _drawn(owners: Iterable[object], rng: np.random.Generator) -> Flags:
    numbers: dict[object, int] = {}
    owned = np.array([numbers.setdefault(owner, len(numbers)) for owner in owners])
    sizes = np.bincount(owned)
    chosen = np.zeros(len(sizes), dtype=np.bool_)
    rows = 0
    for document in rng.permutation(len(sizes)):
        if rows >= HELD_OUT * len(owned):
            break
        if rows + sizes[document] <= len(owned) / 2:
            chosen[document] = True
            rows += sizes[document]
    return np.asarray(chosen[owned])
