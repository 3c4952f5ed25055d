"""The weights of a sentence encoder of BERT's architecture, for attacks that hold them."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from vestige.encoders.bert import BertModel
from vestige.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

LAYER_PARTS = {
    "attend": "attention.self",
    "mix": "attention.output.dense",
    "mixed": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "done": "output.LayerNorm",
}
"""The parts of a layer by the names of `TransformerBox`; query, key and value are one map."""


class BertWhiteBox:
    """White box of such a model. The special tokens around a text are put around soft words too."""

    def __init__(self, model: BertModel) -> None:
        self.model = model

    @cached_property
    def words(self) -> Sequence[str]:
        """The tokens of the tokenizer, in the order of the word matrix."""
        named = {row: word for word, row in self.model.tokenizer.get_vocab().items()}
        return [named.get(row, f"[unused {row}]") for row in range(len(self.word_matrix))]

    @property
    def word_matrix(self) -> "Tensor":
        """The input embeddings."""
        return self.model.words

    @property
    def layers(self) -> int:
        """The number of transformer blocks."""
        return self.model.shape.layers

    def word_ids(self, text: str) -> list[int]:
        """The tokens of a text, truncated where the encoder truncates."""
        tokens = self.model.tokenizer.encode(text)
        return [
            token for token, is_special in zip(tokens.ids, tokens.special_tokens_mask, strict=True) if not is_special
        ]

    def embed(self, word_vectors: "Tensor", *, layer: int | None = None) -> "Tensor":
        """From soft words to the embedding, or to the pooled states of a layer; layer 0 is the mean of the words."""
        import torch

        if layer == 0:
            return word_vectors.mean(dim=1)
        if layer is not None and not 0 < layer <= self.layers:
            raise InputError(f"The 'layer' parameter must be between 0 and {self.layers}. Got {layer} instead.")
        first, last = (self.word_matrix[[token]].expand(len(word_vectors), -1, -1) for token in self._special)
        states = self.model.run(torch.cat([first, word_vectors, last], dim=1), layer)
        return self.model.finish(states) if layer is None else self.model.pool(states)

    def first_states(self) -> "tuple[Tensor, Tensor, Tensor]":
        """What is added to a word by its place, behind the first special token; scale and shift of the first norm."""
        return (self.model.places[1:], *self.model.weights["embeddings.LayerNorm"])

    def layer_weights(self, layer: int) -> "dict[str, Tensor]":
        """The weights of a layer, under the names of `TransformerBox`."""
        found = {}
        for name, part in LAYER_PARTS.items():
            found[f"{name}.weight"], found[f"{name}.bias"] = self.model.weights[f"encoder.layer.{layer}.{part}"]
        return found

    @cached_property
    def _special(self) -> tuple[int, int]:
        """The tokens before and after every text."""
        ids = self.model.tokenizer.encode("a").ids
        return ids[0], ids[-1]
