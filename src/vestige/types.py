"""Records and protocols for every package. Imports nothing else from Vestige."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

Vectors = npt.NDArray[np.float32]
"""One row per text."""

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

Precision = Literal["fp32", "bf16"]
"""The precision of a network's computation; vectors are float32 in both cases."""

Advance = Callable[[int], None]

Progress = Callable[[str, int], Advance]
"""Opens a task of known length and returns a function that advances it: `progress("encoding", 900)(32)`."""


def silent(task: str, total: int) -> Advance:  # noqa: ARG001
    """Show nothing; the default of every long computation."""
    return lambda _steps: None


@dataclass(frozen=True, slots=True)
class Score:
    """A measured value with its confidence interval, its sample size and its baseline."""

    value: float
    low: float
    high: float
    n: int
    baseline: float | None = None


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """How a training or a descent ended.

    `rule` states in words when it ends, `converged` whether it ended by that rule or was cut off. `steps` counts what
    the rule counts, epochs or steps; `curve` holds pairs of a step and the value that the rule watches.
    """

    rule: str
    converged: bool
    steps: int
    curve: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class WordGuesses:
    """The words that an inverter recovers from each vector.

    `sets` holds, per text, the predicted words; `ranked` holds, per text, the most probable words with their
    probabilities, in descending order. `log` says how the descent ended where an attack descends for each target.
    """

    sets: list[frozenset[str]]
    ranked: list[list[tuple[str, float]]]
    log: TrainingLog | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Trial:
    """The best text after this many queries, and the cosine of its vector with the target."""

    queries: int
    text: str
    similarity: float


@dataclass(frozen=True, slots=True)
class TextGuesses:
    """The text that an inverter predicts for each vector; `trails` are the steps of a search that spent queries."""

    texts: list[str]
    trails: list[list[Trial]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FieldGuesses:
    """The probability of each value of each secret field of a pattern.

    `values` holds, per field, its possible values; `probabilities` holds, per field, one row per text and one column
    per value.
    """

    values: dict[str, tuple[str, ...]]
    probabilities: dict[str, Floats]


@dataclass(frozen=True, slots=True)
class KeywordGuesses:
    """The probability that a text contains a keyword: one row per text, one column per keyword."""

    keywords: tuple[str, ...]
    probabilities: Floats

    def ranked(self, most: int) -> list[list[tuple[str, float]]]:
        """Per text, the most probable keywords with their probabilities, best first (Pan et al. 2020, Appendix E)."""
        order = np.argsort(-self.probabilities, axis=1, kind="stable")[:, :most]
        return [
            [(self.keywords[place], float(row[place])) for place in places]
            for row, places in zip(self.probabilities, order, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class EncoderGuess:
    """Which encoder produced a set of vectors.

    `candidates` are the encoders whose vectors have as many columns, most probable first, with their `probabilities`.
    What these leave of 1 is the probability that it is none of them; `name` is None in that case. `reasons` are whole
    sentences.
    """

    name: str | None
    candidates: tuple[str, ...]
    probabilities: tuple[float, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelGuesses:
    """The probability that a text belongs to a class: one row per text, one column per label."""

    labels: tuple[str, ...]
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class MembershipGuesses:
    """One score per candidate: the higher, the more likely it is a member (of training data, or of a store)."""

    scores: Floats


@dataclass(frozen=True, slots=True)
class SecretGuesses:
    """How close each candidate secret is to each prompt: `scores` has one row per prompt, one column per candidate."""

    candidates: tuple[str, ...]
    scores: Floats


Guesses = (
    WordGuesses
    | TextGuesses
    | FieldGuesses
    | KeywordGuesses
    | EncoderGuess
    | LabelGuesses
    | MembershipGuesses
    | SecretGuesses
)
"""What an attack infers; the type of the record is the kind of inference."""


class ScoredIndex(Protocol):
    """A store of vectors that answers a query with scores only."""

    def search(self, vectors: Vectors, k: int) -> Floats:
        """The cosines of each query with the `k` nearest stored vectors, best first; one row per query."""


class Encoder(Protocol):
    """Text to vectors."""

    @property
    def name(self) -> str:
        """The spec string that a user types."""

    @property
    def identity(self) -> str:
        """Everything a vector depends on besides its text: weights, pooling, precision. Keys the cache."""

    @property
    def dimension(self) -> int:
        """The number of columns of every vector."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Encode the texts: one row per text, in the same order."""


class TrainableEncoder(Protocol):
    """A copy of an encoder whose weights can be trained; it changes nothing of the encoder that it was copied from."""

    @property
    def dimension(self) -> int:
        """The number of columns of every vector."""

    def parameters(self) -> Iterable[Any]:
        """The weights, as torch has them."""

    def forward(self, texts: Sequence[str]) -> Any:
        """One row per text, as a tensor through which gradients flow."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """The same as an array."""


class WhiteBox(Protocol):
    """The layers of an encoder whose weights the adversary holds.

    A text is a sequence of words; a soft word is any mixture of rows of `word_matrix`. Words are what the encoder takes
    as input: whole words, or the pieces of its tokenizer.
    """

    @property
    def words(self) -> Sequence[str]:
        """The word of each row of `word_matrix`."""

    @property
    def word_matrix(self) -> "Tensor":
        """One row per word: (words, width)."""

    @property
    def layers(self) -> int:
        """The number of layers above the word matrix; layer 0 is the word matrix itself."""

    def word_ids(self, text: str) -> list[int]:
        """The rows of `word_matrix` for the words of this text, without special tokens such as [CLS]."""

    def embed(self, word_vectors: "Tensor", *, layer: int | None = None) -> "Tensor":
        """Map (texts, length, width) to (texts, dimension), differentiably.

        With a `layer`, the result is the pooled state of that layer; without, it equals `encode` of the same words.
        """


@runtime_checkable
class PaddedBox(WhiteBox, Protocol):
    """A white box that maps texts of several lengths at once."""

    def embed_padded(self, word_vectors: "Tensor", lengths: "Tensor") -> "Tensor":
        """As `embed` of each text alone, (texts, places, width) to (texts, dimension); places past an end are empty."""


@runtime_checkable
class TransformerBox(WhiteBox, Protocol):
    """A white box whose layers are those of BERT, so that another network can begin with their weights."""

    def first_states(self) -> "tuple[Tensor, Tensor, Tensor]":
        """What is added to a word by its place, one row per place, and scale and shift of the normalisation."""

    def layer_weights(self, layer: int) -> "dict[str, Tensor]":
        """The weights of a layer by name.

        `attend`, `mix`, `mixed`, `inner`, `outer` and `done` are the maps to queries, keys and values, of the mixture,
        its normalisation, the wider layer, the map back, and the last normalisation; each has a weight and a bias.
        """


class Guesser(Protocol):
    """A fitted attack on words."""

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Predict the words behind each vector."""
