"""The few rows whose texts are encoded again, to compare the result with the stored vectors."""

from dataclasses import dataclass

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.form import NumberForm, detect_form
from vestige.preflight.similarity import Similarity, compare_vectors
from vestige.stores.content_sample import sort_by_content
from vestige.types import Vectors

ROWS, FEW_ROWS = 32, 5


@dataclass(frozen=True)
class SpotCheck:
    """Texts to encode, their positions in the sample, and the vectors stored for them."""

    positions: list[int]
    texts: list[str]
    stored: Vectors
    form: NumberForm

    @classmethod
    def from_sample(cls, sample: VectorSample) -> "SpotCheck | None":
        """Rows chosen by their texts, whatever their order; None if no row has both a text and a valid vector."""
        if sample.texts is None:
            return None
        usable = [position for position in sample.valid.tolist() if sample.texts[position].strip()]
        if not usable:
            return None
        order = sort_by_content(sample.vectors[usable], [sample.texts[position] for position in usable], 0)
        positions = sorted(usable[row] for row in order[:ROWS])
        texts = [sample.texts[position] for position in positions]
        return cls(positions, texts, sample.vectors[positions], detect_form(sample))

    def take_few(self) -> "SpotCheck":
        """A few of the rows, with short and long texts, for comparisons with many encoders."""
        order = sorted(range(len(self.texts)), key=lambda row: len(self.texts[row]))
        rows = [order[index] for index in np.linspace(0, len(order) - 1, num=min(FEW_ROWS, len(order)), dtype=int)]
        texts = [self.texts[row] for row in rows]
        return SpotCheck([self.positions[row] for row in rows], texts, self.stored[rows], self.form)

    def compare(self, encoded: Vectors) -> Similarity:
        """How similar the encoded texts are to the stored vectors."""
        return compare_vectors(encoded, self.stored, self.form)
