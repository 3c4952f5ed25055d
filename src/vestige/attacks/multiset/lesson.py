"""What every set decoder is taught from, and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.multiset.word_vectors import WordVectors
from vestige.text.vocabulary import Vocabulary
from vestige.types import Flags, Floats, Integers, Singles, Vectors


@dataclass(frozen=True)
class Lesson:
    """Pairs, the words that may be claimed, and the rows to learn from (`kept`) and to decide on (`held`).

    `worth` is what each word of the vocabulary counts in a loss or a score, `depth` how many words a reader is shown.
    """

    vectors: Vectors
    texts: Sequence[str]
    vocabulary: Vocabulary
    labels: sparse.csr_array
    sizes: Integers
    kept: Integers
    held: Integers
    worth: Singles
    depth: int
    word_vectors: WordVectors | None


@dataclass(frozen=True)
class Read:
    """Per text the words shown, likeliest first, their probabilities, and which of them are claimed."""

    words: Integers
    probabilities: Floats
    claimed: Flags


def worth_of(vocabulary: Vocabulary, texts: int, exponent: float) -> Singles:
    """log((N + 1) / (c(w) + 1)) to the power `exponent` (Corò, Eq. 4.8 and Section 6.1), scaled to a mean of one."""
    weights = np.log((texts + 1) / (np.array(vocabulary.counts) + 1)) ** exponent
    return np.asarray(weights / max(weights.mean(), 1e-12), np.float32)
