"""What every set decoder is taught from, and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from vestige.attacks.linear_words import Single
from vestige.attacks.multiset.word_vectors import WordVectors
from vestige.text.vocabulary import Vocabulary
from vestige.types import Floats, Vectors


@dataclass(frozen=True)
class Lesson:
    """Pairs, the words that may be claimed, and the rows to learn from (`kept`) and to decide on (`held`).

    `worth` is what each word of the vocabulary counts in a loss or a score, `depth` how many words a reader is shown.
    """

    vectors: Vectors
    texts: Sequence[str]
    vocabulary: Vocabulary
    labels: sparse.csr_array
    sizes: npt.NDArray[np.int64]
    kept: npt.NDArray[np.int64]
    held: npt.NDArray[np.int64]
    worth: Single
    depth: int
    word_vectors: WordVectors | None


@dataclass(frozen=True)
class Read:
    """Per text the words shown, likeliest first, their probabilities, and which of them are claimed."""

    words: npt.NDArray[np.int64]
    probabilities: Floats
    claimed: npt.NDArray[np.bool_]


def worth_of(vocabulary: Vocabulary, texts: int, exponent: float) -> Single:
    """log((N + 1) / (c(w) + 1)) to the power `exponent` (Corò, Eq. 4.8 and Section 6.1), scaled to a mean of one."""
    weights = np.log((texts + 1) / (np.array(vocabulary.counts) + 1)) ** exponent
    return np.asarray(weights / max(weights.mean(), 1e-12), np.float32)
