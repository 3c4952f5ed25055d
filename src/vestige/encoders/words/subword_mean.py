"""A mean of word vectors that has one for words never met, from the pieces they share with known words."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from vestige.encoders.fitted import State
from vestige.encoders.words.word_mean import WordMean
from vestige.types import Vectors


class SubwordMean(WordMean):
    """Word vectors as fastText makes them (Bojanowski et al. 2017, "Enriching word vectors with subword information").

    An unknown word is the mean of the vectors of its character n-grams, over those n-grams that stand in a known word:
    only they were trained. A word without a single one has no vector. The n-grams follow from the known words, so the
    state holds their vectors but no list of them.
    """

    def __init__(
        self, family: str, vocabulary: Sequence[str], word_vectors: Vectors, ngram_vectors: Vectors, lengths: range
    ) -> None:
        super().__init__(family, vocabulary, np.vstack([word_vectors, ngram_vectors]))
        self.lengths = lengths
        first = len(self.vocabulary)
        self._ngrams = {ngram: first + row for ngram, row in number_ngrams(vocabulary, lengths).items()}

    def rows_of(self, word: str) -> Sequence[int]:
        """The row of a known word, or the rows of the n-grams that an unknown word shares with known ones."""
        own = super().rows_of(word)
        return own or [self._ngrams[ngram] for ngram in ngrams(word, self.lengths) if ngram in self._ngrams]

    def state(self) -> State:
        """The words, the lengths of n-grams, and the vectors of both."""
        known = len(self.vocabulary)
        settings = {"lengths": [self.lengths.start, self.lengths.stop], **super().state().settings}
        return State(settings, {"words": self.matrix[:known], "ngrams": self.matrix[known:]})

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The encoder that had this state."""
        settings, tensors = state.settings, state.tensors
        lengths = range(*settings["lengths"])
        return cls(settings["family"], settings["words"], tensors["words"], tensors["ngrams"], lengths)


def ngrams(word: str, lengths: range) -> list[str]:
    """Every run of characters of these lengths in the word between its marks: of "as", "<as", "as>" and "<as>"."""
    marked = f"<{word}>"
    return [marked[start : start + length] for length in lengths for start in range(len(marked) - length + 1)]


def number_ngrams(vocabulary: Sequence[str], lengths: range) -> dict[str, int]:
    """The n-grams of all words, numbered as they are first met."""
    met = dict.fromkeys(ngram for word in vocabulary for ngram in ngrams(word, lengths))
    return {ngram: row for row, ngram in enumerate(met)}
