"""Distance-comparison-preserving encryption: vectors scaled by a secret factor and perturbed within a ball."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from vestige.checks import check_above, check_choice
from vestige.defenses.defense import DefenseInfo
from vestige.defenses.mechanism import SEED, Mechanism, row_lengths
from vestige.defenses.streams import Streams, draw_normals, draw_uniforms
from vestige.types import Floats, Singles, Vectors

_LARGEST_SCALE = 1000.0


class DistanceComparisonEncryption(Mechanism):
    """Vectors times a secret factor, plus noise drawn uniformly from a ball; with `permute`, in a secret order.

    Guarantee: if y is nearer to x than z by more than `beta`, the ciphertext of y is nearer to that of x; smaller
    differences may swap. Whoever sees one ciphertext cannot separate vectors that are much closer than `beta` / (4 √d),
    for d columns. The scheme hides neither the cloud of vectors nor its clusters, and the factor follows from the mean
    length.
    Shapes: (n, d) to (n, d).
    Paper: Fuchsbauer et al., SCN 2022, Section 4 (Scale-And-Perturb): c = s · m + n, where n is uniform in the ball of
    radius s · `beta` / 4. Our own implementation: the noise comes from AES under a secret seed, the position and
    the content of a row, where the paper draws a nonce and stores it. `permute` is not of the paper.
    """

    info = DefenseInfo(
        "dcpe",
        "dcpe:BETA, distance-comparison-preserving encryption: scaled by a secret and perturbed",
        paper="Fuchsbauer et al. 2022, Section 4",
        strength="beta",
        strengths=lambda _dimension: (1, 2, 4),
        recipes=("dcpe:1,permute=true",),
        queries="without noise",
        secret=f"{SEED}, the factor and the order of the columns",
        explanation="Every vector is multiplied by a secret number and moved a little; near vectors stay near.",
    )
    learned: ClassVar[tuple[str, ...]] = ("seed_", "scale_", "order_")
    scale_: Floats
    order_: npt.NDArray[np.int64]

    def __init__(self, *, beta: float = 1.0, permute: bool = False) -> None:
        self.beta = beta
        self.permute = permute

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_above("beta", self.beta, 0)
        check_choice("permute", self.permute, (True, False))

    def guarantee(self) -> str:
        """No privacy: that distances can be compared is a promise to search."""
        return (
            "none of privacy: distances stay comparable on purpose, and only vectors much closer than "
            f"{self.beta / 4:g} / √columns cannot be distinguished"
        )

    def check_learned(self) -> None:
        """Raise ValueError unless the seed is one, the factor is above 0, and every column occurs once."""
        self.check_seed()
        if not self.scale_ > 0 or sorted(self.order_.tolist()) != list(range(self.columns_)):
            raise ValueError(f"no factor above 0 with an order of {self.columns_} columns")

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        super()._fit(vectors, labels, rng)
        self.scale_ = np.array(np.exp(rng.uniform(0, np.log(_LARGEST_SCALE))))
        columns = vectors.shape[1]
        self.order_ = rng.permutation(columns) if self.permute else np.arange(columns)

    def _randomise(self, vectors: Vectors, streams: Streams) -> Singles:
        columns = vectors.shape[1]
        noise = draw_normals(streams, columns)
        radius = self.beta / 4 * draw_uniforms(streams) ** (1 / columns)
        noise *= (radius[:, None] / row_lengths(noise)).astype(np.float32)
        return self._encrypt(vectors + noise)

    def _transform_without_noise(self, vectors: Vectors, start: int) -> Vectors:  # noqa: ARG002
        return self._encrypt(vectors)

    def _encrypt(self, vectors: Vectors) -> Singles:
        encrypted: Singles = vectors[:, self.order_] * self.scale_.astype(np.float32)
        return encrypted
