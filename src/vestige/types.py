"""Records and protocols that every package may use. Imports nothing of ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

Vectors = npt.NDArray[np.float32]
"""One row a text."""

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

Precision = Literal["fp32", "bf16"]
"""What a network computes in; vectors are float32 either way."""

Advance = Callable[[int], None]

Progress = Callable[[str, int], Advance]
"""Opens a task of known length and gives back the function that moves it on: `progress("encoding", 900)(32)`."""


def silent(task: str, total: int) -> Advance:  # noqa: ARG001
    """Show nothing; the default of every long piece of work."""
    return lambda _steps: None


@dataclass(frozen=True, slots=True)
class Score:
    """A measured value that never travels without its interval, its sample size and what it stands against."""

    value: float
    low: float
    high: float
    n: int
    baseline: float | None = None


@dataclass(frozen=True, slots=True)
class WordGuesses:
    """What an inverter reads out of each vector.

    `sets` holds, per text, the words it claims; `ranked` holds, per text, the likeliest words with
    their probabilities, likeliest first.
    """

    sets: list[frozenset[str]]
    ranked: list[list[tuple[str, float]]]


@dataclass(frozen=True, slots=True)
class Trial:
    """The best text after so many queries, and the cosine of its vector with the target."""

    queries: int
    text: str
    similarity: float


@dataclass(frozen=True, slots=True)
class TextGuesses:
    """The text that an inverter writes for each vector; `trails`, where queries were spent, is how it came about."""

    texts: list[str]
    trails: list[list[Trial]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FieldGuesses:
    """How likely each value of each secret field of a pattern is, vector by vector.

    `values` holds, per field, the values it may take; `probabilities`, per field, a row a text and a column a value.
    """

    values: dict[str, tuple[str, ...]]
    probabilities: dict[str, Floats]


@dataclass(frozen=True, slots=True)
class KeywordGuesses:
    """How likely each text holds each keyword: `probabilities` has a row a text, a column a keyword."""

    keywords: tuple[str, ...]
    probabilities: Floats

    def ranked(self, most: int) -> list[list[tuple[str, float]]]:
        """Per text the likeliest keywords with their probabilities, likeliest first (Pan et al. 2020, Appendix E)."""
        order = np.argsort(-self.probabilities, axis=1, kind="stable")[:, :most]
        return [
            [(self.keywords[place], float(row[place])) for place in places]
            for row, places in zip(self.probabilities, order, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class EncoderGuess:
    """Which encoder made a set of vectors.

    `candidates` are those whose vectors have as many columns, likeliest first, with their `probabilities`; what these
    leave of 1 is the probability of none of them, in which case `name` is None. `reasons` are whole sentences.
    """

    name: str | None
    candidates: tuple[str, ...]
    probabilities: tuple[float, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelGuesses:
    """How likely each text belongs to each class: `probabilities` has a row a text, a column a label."""

    labels: tuple[str, ...]
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class MembershipGuesses:
    """How likely each candidate is a member, of training data or of a store: a score each, higher if likelier."""

    scores: Floats


@dataclass(frozen=True, slots=True)
class SecretGuesses:
    """How near each candidate secret is to each prompt: `scores` has a row a prompt, a column a candidate."""

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
"""What an attack infers; the record says of what kind it is."""


class ScoredIndex(Protocol):
    """A store of vectors that answers a query with scores, and with nothing else."""

    def search(self, vectors: Vectors, k: int) -> Floats:
        """The cosines of each query with the `k` nearest stored vectors, best first; a row a query."""


class Encoder(Protocol):
    """Text to vectors."""

    @property
    def name(self) -> str:
        """The spec string a user would type."""

    @property
    def identity(self) -> str:
        """Everything a vector depends on besides its text: weights, pooling, precision. Keys the cache."""

    @property
    def dimension(self) -> int:
        """Columns of every vector."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""


class WhiteBox(Protocol):
    """The inside of an encoder whose weights the adversary holds.

    A text is a row of words; a soft word is any mixture of rows of `word_matrix`. Words are whatever the encoder reads:
    whole words, or the pieces of its tokenizer.
    """

    @property
    def words(self) -> Sequence[str]:
        """What each row of `word_matrix` stands for."""

    @property
    def word_matrix(self) -> "Tensor":
        """One vector a word: (words, width)."""

    @property
    def layers(self) -> int:
        """Layers above the word matrix; layer 0 is the words themselves."""

    def word_ids(self, text: str) -> list[int]:
        """The rows of `word_matrix` that the encoder reads for this text, marks such as [CLS] left out."""

    def embed(self, word_vectors: "Tensor", *, layer: int | None = None) -> "Tensor":
        """From (texts, length, width) to (texts, dimension), differentiable.

        With a `layer`, the pooled state of that layer; without, what `encode` gives for the same words.
        """


class Guesser(Protocol):
    """An attack on words that has learned what it can."""

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Guess the words behind each vector."""
