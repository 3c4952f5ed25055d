"""The inside of a transformer: its words, and a differentiable way from soft words to the embedding."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from vestige.errors import InputError


class TransformerBox:
    """White box of any Hugging Face encoder or decoder that takes `inputs_embeds`.

    `pool` makes one vector of a layer's states, `finish` what `encode` makes of the last one. Marks that the tokenizer
    puts around a text, such as [CLS] and [SEP], are put around soft words too.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        pool: Callable[[Tensor], Tensor],
        finish: Callable[[Tensor], Tensor],
        longest: int,
        layer: int | None = None,
    ) -> None:
        self.model = model.requires_grad_(False).eval()
        self.tokenizer = tokenizer
        self.pool = pool
        self.finish = finish
        self.longest = longest
        self.layer = layer

    @cached_property
    def words(self) -> Sequence[str]:
        """The pieces of the tokenizer, in the order of the word matrix."""
        named = {row: word for word, row in self.tokenizer.get_vocab().items()}
        return [named.get(row, f"[unused {row}]") for row in range(len(self.word_matrix))]

    @property
    def word_matrix(self) -> Tensor:
        """The input embeddings."""
        matrix: Tensor = self.model.get_input_embeddings().weight
        return matrix

    @property
    def layers(self) -> int:
        """Blocks of the transformer."""
        return int(self.model.config.num_hidden_layers)

    def word_ids(self, text: str) -> list[int]:
        """The text's pieces, cut where the encoder cuts."""
        tokens = self.tokenizer(text, truncation=True, max_length=self.longest, return_special_tokens_mask=True)
        marks = tokens["special_tokens_mask"]
        return [piece for piece, mark in zip(tokens["input_ids"], marks, strict=True) if not mark]

    def embed(self, word_vectors: Tensor, *, layer: int | None = None) -> Tensor:
        """From soft words to the embedding, or to the pooled states of a layer; layer 0 is the mean of the words."""
        if layer == 0:
            return word_vectors.mean(dim=1)
        if layer is not None and not 0 < layer <= self.layers:
            raise InputError(f"The 'layer' parameter must be between 0 and {self.layers}. Got {layer} instead.")
        states = self._states(word_vectors, self.layer if layer is None else layer)
        return (self.finish if layer is None else self.pool)(states).float()

    def _states(self, word_vectors: Tensor, layer: int | None) -> Tensor:
        before, after, extras = self._marked(word_vectors.shape[1])
        texts = len(word_vectors)
        whole = torch.cat(
            [before.expand(texts, -1, -1), word_vectors.to(before.dtype), after.expand(texts, -1, -1)], dim=1
        )
        extras = {name: values.expand(texts, -1) for name, values in extras.items()}
        last = layer is None or layer == self.layers
        output = self.model(inputs_embeds=whole, output_hidden_states=not last, **extras)
        states: Tensor = output.last_hidden_state if last else output.hidden_states[layer]
        return states

    def _marked(self, length: int) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """The marks before and after `length` words, and what else the model is told of each place."""
        tokens = self.tokenizer("a", return_special_tokens_mask=True)
        marks = tokens.pop("special_tokens_mask")
        first, last = marks.index(0), len(marks) - marks[::-1].index(0)
        pieces = torch.tensor(tokens.pop("input_ids"))
        tokens.pop("attention_mask", None)
        extras = {
            name: torch.tensor([*values[:first], *[values[first]] * length, *values[last:]])
            for name, values in tokens.items()
        }
        return self.word_matrix[pieces[:first]], self.word_matrix[pieces[last:]], extras
