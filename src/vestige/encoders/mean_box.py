"""The inside of an encoder that averages its words' vectors."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from vestige.errors import InputError
from vestige.types import Vectors


class MeanBox:
    """White box of a mean of words, made unit length where the encoder does so. It has no layer but the words."""

    layers = 0

    def __init__(
        self, words: Sequence[str], matrix: Vectors, word_ids: Callable[[str], list[int]], *, unit_length: bool = False
    ) -> None:
        self.words = words
        self.word_matrix = torch.from_numpy(matrix)
        self.word_ids = word_ids
        self.unit_length = unit_length

    def embed(self, word_vectors: Tensor, *, layer: int | None = None) -> Tensor:
        """The mean over a text's words; layer 0 is the mean before it is made unit length."""
        if layer not in (None, 0):
            raise InputError(f"The 'layer' parameter must be 0, the only layer there is. Got {layer} instead.")
        mean = word_vectors.sum(dim=1) / max(word_vectors.shape[1], 1)
        return torch.nn.functional.normalize(mean, dim=1) if self.unit_length and layer is None else mean
