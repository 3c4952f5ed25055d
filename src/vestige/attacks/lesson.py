"""What an inversion of word sets is taught from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.claiming import set_aside
from vestige.errors import InputError
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Integers, Singles, Vectors


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

    @classmethod
    def of(
        cls,
        vectors: Vectors,
        texts: Sequence[str],
        documents: Sequence[str] | None,
        *,
        vocabulary_size: int,
        rare_words: float,
        rng: np.random.Generator,
    ) -> "Lesson":
        """The content words of the texts, a tenth of the documents set aside."""
        word_sets = [content_words(text) for text in texts]
        vocabulary = Vocabulary.build(word_sets, vocabulary_size)
        if not len(vocabulary):
            raise InputError(f"none of {len(texts)} texts has a content word; fit needs words to learn")
        sizes = np.array([len(words) for words in word_sets])
        kept, held = set_aside(len(texts), documents, rng)
        return cls(
            vectors=vectors,
            texts=texts,
            vocabulary=vocabulary,
            labels=vocabulary.indicator(word_sets),
            sizes=sizes,
            kept=kept,
            held=held,
            worth=worth_of(vocabulary, len(texts), rare_words),
            depth=int(min(len(vocabulary), max(50, 2 * np.quantile(sizes, 0.95)))),
        )

    def counted(self, rows: Integers) -> Singles:
        """What all words of each text count; a word outside the vocabulary counts as the rarest inside."""
        known: sparse.csr_array = self.labels[rows]
        outside = (self.sizes[rows] - known.sum(axis=1)) * self.worth.max(initial=0)
        return np.asarray(known @ self.worth + outside, np.float32)


def worth_of(vocabulary: Vocabulary, texts: int, exponent: float) -> Singles:
    """log((N + 1) / (c(w) + 1)) to the power `exponent` (Corò, Eq. 4.8 and Section 6.1), scaled to a mean of one."""
    weights = np.log((texts + 1) / (np.array(vocabulary.counts) + 1)) ** exponent
    return np.asarray(weights / max(weights.mean(), 1e-12), np.float32)
