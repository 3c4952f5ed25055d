"""The Laplace mechanism (P7, C9): noise in proportion to how far one word moves a vector."""

from typing import ClassVar, Self, get_args

import numpy as np
import numpy.typing as npt

from vestige.checks import check_choice
from vestige.defenses.checks import check_above
from vestige.defenses.defense import Needs, Pairs
from vestige.defenses.laws import laplaces
from vestige.defenses.mechanism import Mechanism
from vestige.defenses.sensitivity import Estimate, estimated_sensitivity
from vestige.defenses.streams import Streams
from vestige.errors import InputError
from vestige.types import Floats, Singles, Vectors


class Laplace(Mechanism):
    """Independent Laplace noise of scale `sensitivity` / `epsilon` on every number.

    Guarantee: `epsilon`-differential privacy of one word, if the encoder moves by no more than `sensitivity` (in L1)
    when a word changes. A sensitivity estimated from pairs is no bound, and then there is no guarantee. It is that of
    one word: a text of n words is hidden by n times `epsilon`.
    Shapes: (n, d) to (n, d).
    Paper: Pan et al., IEEE S&P 2020, Section VII (2) and Appendix C (`estimate="largest"`, words substituted); Chen
    2023, Section 6.0.1 (`estimate="mean"`, words removed).
    """

    needs: ClassVar[Needs] = "pairs"
    strength: ClassVar[str | None] = "epsilon"
    learned: ClassVar[tuple[str, ...]] = ("seed_", "scale_")
    scale_: Floats

    def __init__(
        self, *, epsilon: float = 1.0, sensitivity: float | None = None, estimate: Estimate = "largest"
    ) -> None:
        self.epsilon = epsilon
        self.sensitivity = sensitivity
        self.estimate = estimate

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
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
        """Draw the seed; `pairs`, vectors of texts and of the same texts with a word changed, tell the sensitivity."""
        self.check_settings()
        if self.sensitivity is not None:
            found = self.sensitivity
        elif pairs is not None:
            found = estimated_sensitivity(*pairs, estimate=self.estimate, columns=np.shape(vectors)[-1])
        else:
            raise InputError(
                "Laplace knows no sensitivity and was given no pairs; set 'sensitivity', or give pairs=(original, "
                "changed), vectors of texts and of the same texts with a word changed"
            )
        self.scale_ = np.array(found / self.epsilon)
        return super().fit(vectors, labels, rng=rng)

    def _noisy(self, vectors: Vectors, streams: Streams) -> Singles:
        found = laplaces(streams, vectors.shape[1])
        found *= self.scale_.astype(np.float32)
        found += vectors
        return found
