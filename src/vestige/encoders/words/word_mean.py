"""A text as the mean of its words' vectors."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy import sparse

from vestige.encoders.fitted import Fitted, State
from vestige.text.words import words
from vestige.types import Progress, Vectors, WhiteBox, silent

BLOCK = 1024


class WordMean(Fitted):
    """One vector a word; a text is the mean over its known words, each as often as it stands there.

    A text without a known word is the zero vector. Sums are taken in double precision and in the order of the rows of
    `matrix`, so a vector is the same to the last bit alone, in any batch and in any order of the texts.
    """

    def __init__(self, family: str, vocabulary: Sequence[str], matrix: Vectors) -> None:
        self.family = family
        self.vocabulary = tuple(vocabulary)
        self.matrix = matrix
        self._index = {word: row for row, word in enumerate(self.vocabulary)}

    @property
    def dimension(self) -> int:
        """Columns of every vector."""
        return int(self.matrix.shape[1])

    def rows_of(self, word: str) -> Sequence[int]:
        """The rows of `matrix` whose mean is this word's vector; none for an unknown word."""
        row = self._index.get(word)
        return () if row is None else (row,)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""
        advance = progress(f"encoding with {self.name}", len(texts))
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BLOCK):
            block = texts[start : start + BLOCK]
            vectors[start : start + BLOCK] = self._means(block)
            advance(len(block))
        return vectors

    def _means(self, texts: Sequence[str]) -> Vectors:
        parts = [[rows for word in words(text) if (rows := self.rows_of(word))] for text in texts]
        taken = np.array([row for text in parts for word in text for row in word], dtype=np.int64)
        weights = [1 / len(word) for text in parts for word in text for _ in word]
        bounds = np.cumsum([0, *(sum(map(len, text)) for text in parts)])
        used, columns = np.unique(taken, return_inverse=True)
        shares = sparse.csr_array((weights, columns, bounds), shape=(len(texts), len(used)))
        shares.sum_duplicates()
        sums = shares @ np.ascontiguousarray(self.matrix[used], dtype=np.float64)
        means: Vectors = (sums / np.maximum([len(text) for text in parts], 1)[:, None]).astype(np.float32)
        return means

    def state(self) -> State:
        """The family, the words and their vectors."""
        return State({"family": self.family, "words": list(self.vocabulary)}, {"matrix": self.matrix})

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The encoder that had this state."""
        return cls(state.settings["family"], state.settings["words"], state.tensors["matrix"])

    def white_box(self) -> WhiteBox:
        """The word vectors and their mean. Only words with a row of their own are seen, and at least one is needed."""
        from vestige.encoders.mean_box import MeanBox

        return MeanBox(self.vocabulary, np.array(self.matrix[: len(self.vocabulary)], order="C"), self._known_rows)

    def _known_rows(self, text: str) -> list[int]:
        return [self._index[word] for word in words(text) if word in self._index]
