"""A copy of a Hugging Face encoder whose weights can be trained, for an adversary that adapts its own encoder."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from vestige.types import Progress, Vectors, silent

if TYPE_CHECKING:
    from torch import Tensor

    from vestige.encoders.hugging_face import HuggingFaceEncoder

AT_ONCE = 16


class TrainableHuggingFace:
    """The model of an encoder, copied. Dropout is off, so that the vectors begin as those of the encoder."""

    def __init__(self, encoder: "HuggingFaceEncoder") -> None:
        self._encoder = encoder
        self._model = deepcopy(encoder.model).float().eval()

    @property
    def dimension(self) -> int:
        """The number of columns of every vector."""
        return self._encoder.dimension

    def parameters(self) -> Iterable[Any]:
        """The weights of the copy."""
        weights: Iterable[Any] = self._model.parameters()
        return weights

    def forward(self, texts: Sequence[str]) -> "Tensor":
        """One row per text; texts of other lengths are never in one batch with it, so that none is padded."""
        import torch

        return torch.cat([self._forward(text) for text in texts])

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """The same as an array."""
        import torch

        advance = progress("encoding with the adapted surrogate", len(texts))
        blocks = [np.empty((0, self.dimension), np.float32)]
        for start in range(0, len(texts), AT_ONCE):
            with torch.no_grad():
                blocks.append(self.forward(texts[start : start + AT_ONCE]).numpy())
            advance(len(blocks[-1]))
        return np.concatenate(blocks)

    def _forward(self, text: str) -> "Tensor":
        return self._encoder.run_model(self._model, text)
