"""White boxes: the inside of an encoder whose weights the adversary holds.

A white box has the encoder's words, its word matrix, its layers, and a differentiable path from soft words to the
embedding.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vestige.encoders.wrapper import unwrap
from vestige.errors import InputError
from vestige.types import Encoder, Vectors, WhiteBox

if TYPE_CHECKING:
    from torch import Tensor

OPEN = "minilm, st:, hf:, static:, wordllama, word2vec, fasttext, glove, glove-6b, dual:"


def white_box(encoder: Encoder) -> WhiteBox:
    """Open an encoder; raise where it is a black box."""
    encoder = unwrap(encoder)
    open_encoder: Callable[[], WhiteBox] | None = getattr(encoder, "white_box", None)
    if open_encoder is None:
        raise InputError(
            f"encoder '{encoder.name}' is a black box: texts go in, vectors come out, and nothing else is visible; "
            f"a white-box attack needs one of {OPEN}"
        )
    return open_encoder()


def find_white_box(encoder: Encoder) -> WhiteBox | None:
    """Open an encoder; None where it is a black box."""
    try:
        return white_box(encoder)
    except InputError:
        return None


class MeanWhiteBox:
    """White box of a mean of word vectors, of unit length if the encoder scales it; its only layer is the words."""

    layers = 0

    def __init__(
        self, words: Sequence[str], matrix: Vectors, word_ids: Callable[[str], list[int]], *, unit_length: bool = False
    ) -> None:
        import torch

        self.words = words
        self.word_matrix = torch.from_numpy(matrix)
        self.word_ids = word_ids
        self.unit_length = unit_length

    def embed(self, word_vectors: "Tensor", *, layer: int | None = None) -> "Tensor":
        """The mean over a text's words; layer 0 is the mean before scaling to unit length."""
        import torch

        if layer not in (None, 0):
            raise InputError(f"The 'layer' parameter must be 0, the only layer. Got {layer} instead.")
        mean = word_vectors.sum(dim=1) / max(word_vectors.shape[1], 1)
        return torch.nn.functional.normalize(mean, dim=1) if self.unit_length and layer is None else mean


class TransformerWhiteBox:
    """White box of any Hugging Face encoder or decoder that takes `inputs_embeds`.

    `pool` turns the states of a layer into one vector; `finish` turns the last states into what `encode` returns.
    Special tokens that the tokenizer adds to a text, such as [CLS] and [SEP], are added to soft words too.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        pool: "Callable[[Tensor], Tensor]",
        finish: "Callable[[Tensor], Tensor]",
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
        """The tokens of the tokenizer, in the order of the word matrix."""
        named = {row: word for word, row in self.tokenizer.get_vocab().items()}
        return [named.get(row, f"[unused {row}]") for row in range(len(self.word_matrix))]

    @property
    def word_matrix(self) -> "Tensor":
        """The input embeddings."""
        matrix: Tensor = self.model.get_input_embeddings().weight
        return matrix

    @property
    def layers(self) -> int:
        """The number of transformer blocks."""
        return int(self.model.config.num_hidden_layers)

    def word_ids(self, text: str) -> list[int]:
        """The tokens of a text, truncated where the encoder truncates."""
        tokens = self.tokenizer(text, truncation=True, max_length=self.longest, return_special_tokens_mask=True)
        special = tokens["special_tokens_mask"]
        return [token for token, is_special in zip(tokens["input_ids"], special, strict=True) if not is_special]

    def embed(self, word_vectors: "Tensor", *, layer: int | None = None) -> "Tensor":
        """From soft words to the embedding, or to the pooled states of a layer; layer 0 is the mean of the words."""
        if layer == 0:
            return word_vectors.mean(dim=1)
        if layer is not None and not 0 < layer <= self.layers:
            raise InputError(f"The 'layer' parameter must be between 0 and {self.layers}. Got {layer} instead.")
        states = self._states(word_vectors, self.layer if layer is None else layer)
        return (self.finish if layer is None else self.pool)(states).float()

    def _states(self, word_vectors: "Tensor", layer: int | None) -> "Tensor":
        import torch

        before, after, extras = self._surround(word_vectors.shape[1])
        texts = len(word_vectors)
        whole = torch.cat(
            [before.expand(texts, -1, -1), word_vectors.to(before.dtype), after.expand(texts, -1, -1)], dim=1
        )
        extras = {name: values.expand(texts, -1) for name, values in extras.items()}
        last = layer is None or layer == self.layers
        output = self.model(inputs_embeds=whole, output_hidden_states=not last, **extras)
        states: Tensor = output.last_hidden_state if last else output.hidden_states[layer]
        return states

    def _surround(self, length: int) -> "tuple[Tensor, Tensor, dict[str, Tensor]]":
        """The embedded special tokens before and after `length` words, and the model's other inputs by position."""
        import torch

        tokens = self.tokenizer("a", return_special_tokens_mask=True)
        special = tokens.pop("special_tokens_mask")
        first, last = special.index(0), len(special) - special[::-1].index(0)
        ids = torch.tensor(tokens.pop("input_ids"))
        tokens.pop("attention_mask", None)
        extras = {
            name: torch.tensor([*values[:first], *[values[first]] * length, *values[last:]])
            for name, values in tokens.items()
        }
        return self.word_matrix[ids[:first]], self.word_matrix[ids[last:]], extras
