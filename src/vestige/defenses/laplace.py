"""The Laplace mechanism: noise in proportion to how far one word moves a vector, the L1 sensitivity of an encoder."""

from typing import ClassVar, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from vestige.checks import as_vectors, check_above, check_choice
from vestige.defenses.defense import DefenseInfo, Pairs
from vestige.defenses.mechanism import SEED, Mechanism, weigh_guarantee
from vestige.defenses.streams import Streams, draw_laplaces
from vestige.errors import InputError
from vestige.types import Floats, Singles, Vectors

Estimate = Literal["largest", "mean"]


class LaplaceMechanism(Mechanism):
    """Independent Laplace noise of scale `sensitivity` / `epsilon` on every number.

    Guarantee: `epsilon`-differential privacy of one word, if changing a word moves a vector by at most `sensitivity`
    (in L1). A sensitivity that was estimated from pairs is no bound, and then there is no guarantee. The guarantee is
    for one word: a text of n words has n times `epsilon`.
    Shapes: (n, d) to (n, d).
    Paper: Pan et al., IEEE S&P 2020, Section VII (2) and Appendix C (`estimate="largest"`, words substituted); Chen
    2023, Section 6.0.1 (`estimate="mean"`, words removed).
    """

    info = DefenseInfo(
        "laplace",
        "laplace:EPSILON, noise in proportion to how far one word moves a vector",
        paper="Pan et al. 2020, Section VII; Chen 2023, Section 6.0.1",
        needs="pairs",
        strength="epsilon",
        strengths=lambda dimension: (3 * dimension, dimension, dimension // 3),
        recipes=("laplace:estimate=mean",),
        queries="unchanged",
        secret=SEED,
        explanation="Noise as large as the change that one word makes to a vector.",
    )
    learned: ClassVar[tuple[str, ...]] = ("seed_", "scale_")
    scale_: Floats

    def __init__(
        self, *, epsilon: float = 1.0, sensitivity: float | None = None, estimate: Estimate = "largest"
    ) -> None:
        self.epsilon = epsilon
        self.sensitivity = sensitivity
        self.estimate = estimate

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_above("epsilon", self.epsilon, 0)
        check_choice("estimate", self.estimate, get_args(Estimate))
        if self.sensitivity is not None:
            check_above("sensitivity", self.sensitivity, 0)

    def fit(
        self,
        vectors: npt.ArrayLike,
        labels: npt.ArrayLike | None = None,
        *,
        pairs: Pairs | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Draw the seed; without a `sensitivity`, estimate it from `pairs`."""
        self.check_settings()
        if self.sensitivity is not None:
            sensitivity = self.sensitivity
        elif pairs is not None:
            sensitivity = estimate_sensitivity(*pairs, estimate=self.estimate, columns=np.shape(vectors)[-1])
        else:
            raise InputError(
                "the Laplace mechanism has no sensitivity and no pairs to estimate it from; set 'sensitivity', or give "
                "pairs=(original, changed), vectors of texts and of the same texts with a word changed"
            )
        self.scale_ = np.array(sensitivity / self.epsilon)
        return super().fit(vectors, labels, rng=rng)

    def guarantee(self) -> str:
        """Privacy of a word, with its epsilon, if the owner named the sensitivity; nothing if it was estimated."""
        if self.sensitivity is None:
            return "none: how far one word moves a vector was estimated, which is no bound"
        return weigh_guarantee(
            self.epsilon,
            f"{self.epsilon:g}-differential privacy of one word, provided that no word moves a vector by more than "
            f"{self.sensitivity:g} (in L1)",
        )

    def _randomise(self, vectors: Vectors, streams: Streams) -> Singles:
        defended = draw_laplaces(streams, vectors.shape[1])
        defended *= self.scale_.astype(np.float32)
        defended += vectors
        return defended


def estimate_sensitivity(
    original: npt.ArrayLike, changed: npt.ArrayLike, *, estimate: Estimate = "largest", columns: int | None = None
) -> float:
    """The L1 sensitivity, from the vectors of texts and, row by row, of the same texts with a word changed.

    "largest" is the greatest L1 distance, as the definition requires (Pan et al. 2020, Appendix C, on 10,000 pairs made
    by word substitution). "mean" is the average (Chen 2023, Section 6.0.1, on 1,000 documents with their most frequent
    words removed), which many changes exceed. An estimate is no bound: an untested pair may be further apart, and a
    guarantee that relies on the estimate does not hold.
    """
    check_choice("estimate", estimate, get_args(Estimate))
    distances = _distances(as_vectors(original, columns), as_vectors(changed, columns))
    sensitivity = float(distances.max() if estimate == "largest" else distances.mean())
    if not sensitivity:
        raise InputError(
            f"none of {len(distances)} changes moved its vector; expected pairs of a text and the text with a word "
            "changed; give pairs that differ"
        )
    return sensitivity


def _distances(original: Vectors, changed: Vectors) -> Floats:
    if original.shape != changed.shape or not len(original):
        raise InputError(
            f"the original vectors have shape {original.shape}, the changed ones {changed.shape}; "
            "expected one pair or more, row by row"
        )
    distances: Floats = np.abs(original.astype(np.float64) - changed).sum(axis=1)
    return distances
