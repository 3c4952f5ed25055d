"""A trained dual encoder: its vectors, its state on disk, and its white box."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from vestige.encoders.fitted import EncoderState, FittedEncoder
from vestige.encoders.full_batches import encode_full_batches
from vestige.text.words import words
from vestige.types import Progress, TrainingLog, Vectors, silent

if TYPE_CHECKING:
    from torch import Tensor

    from vestige.encoders.dual.network import DualNetwork

UNKNOWN = "[unknown]"


def word_ids(text: str, rows: Mapping[str, int], longest: int) -> list[int]:
    """The row of each of the first `longest` words, 0 for unknown ones; a text without words is one unknown word."""
    return [rows.get(word, 0) for word in words(text)[:longest]] or [0]


class DualEncoder(FittedEncoder):
    """Phi(x) of Song and Raghunathan 2020: the mean state of the last layer over the words of a text.

    Words outside the vocabulary share one row, [unknown], and a text without words is that one row. Texts are truncated
    after `shape.longest` words. Vectors are not of unit length: Equation 2 compares them by dot product. `log` says how
    the training ended.
    """

    def __init__(
        self,
        vocabulary: Sequence[str],
        network: "DualNetwork",
        recipe: Mapping[str, Any] | None = None,
        log: TrainingLog | None = None,
    ) -> None:
        self.family = f"dual:{network.shape.architecture}"
        self.vocabulary = list(vocabulary)
        self.recipe = recipe
        self.log = log
        self.network = network.eval().requires_grad_(requires_grad=False)

    @property
    def dimension(self) -> int:
        """Columns of every vector."""
        return self.network.shape.dimension

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.vocabulary)}

    def word_ids(self, text: str) -> list[int]:
        """The row of each word that is encoded."""
        return word_ids(text, self._rows, self.network.shape.longest)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
        advance = progress(f"encoding with {self.name}", len(texts))
        ids = [self.word_ids(text) for text in texts]
        return encode_full_batches(ids, self.dimension, self._encode_batch, advance)

    def _encode_batch(self, ids: list[Sequence[int]]) -> Vectors:
        import torch

        with torch.no_grad():
            vectors: Vectors = self.network(self.network.words(torch.tensor(ids))).numpy()
        return vectors

    def white_box(self) -> "DualWhiteBox":
        """The inside of the encoder, for an adversary with the weights."""
        return DualWhiteBox(self)

    def state(self) -> EncoderState:
        """The shape, the recipe, how the training ended, the vocabulary and every weight."""
        tensors = {name: weight.numpy() for name, weight in self.network.state_dict().items()}
        settings = {
            "shape": asdict(self.network.shape),
            "recipe": self.recipe,
            "log": None if self.log is None else asdict(self.log),
            "vocabulary": self.vocabulary,
        }
        return EncoderState(settings, tensors)

    @classmethod
    def from_state(cls, state: EncoderState) -> Self:
        """Rebuild the encoder from its state."""
        import torch

        from vestige.encoders.dual.network import DualNetwork, DualShape

        vocabulary = state.settings["vocabulary"]
        with torch.random.fork_rng(devices=[]):
            network = DualNetwork(DualShape(**state.settings["shape"]), len(vocabulary))
        network.load_state_dict({name: torch.tensor(tensor) for name, tensor in state.tensors.items()})
        return cls(vocabulary, network, state.settings.get("recipe"), _read_log(state.settings.get("log")))


def _read_log(log: Mapping[str, Any] | None) -> TrainingLog | None:
    if log is None:
        return None
    return TrainingLog(log["rule"], log["converged"], log["steps"], tuple((step, loss) for step, loss in log["curve"]))


class DualWhiteBox:
    """The inside of a dual encoder. Layer 0 is the mean of the word vectors; the last layer is the embedding."""

    def __init__(self, encoder: DualEncoder) -> None:
        self._encoder = encoder

    @property
    def words(self) -> Sequence[str]:
        """The word of each row of `word_matrix`; row 0 stands for all words outside the vocabulary."""
        return self._encoder.vocabulary

    @property
    def word_matrix(self) -> "Tensor":
        """One vector per word: (words, width)."""
        return self._encoder.network.words.weight

    @property
    def layers(self) -> int:
        """Layers above the word matrix."""
        return self._encoder.network.shape.layers

    def word_ids(self, text: str) -> list[int]:
        """The rows of `word_matrix` that the encoder uses for this text."""
        return self._encoder.word_ids(text)

    def embed(self, word_vectors: "Tensor", *, layer: int | None = None) -> "Tensor":
        """From (texts, length, width) to (texts, dimension), differentiable; with a `layer`, its mean state."""
        vectors: Tensor = self._encoder.network(word_vectors, layer=layer)
        return vectors

    def embed_padded(self, word_vectors: "Tensor", lengths: "Tensor") -> "Tensor":
        """As `embed`, of texts of several lengths; what is in places past the end of a text has no effect."""
        vectors: Tensor = self._encoder.network(word_vectors, lengths)
        return vectors
