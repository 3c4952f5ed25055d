"""Word counts: tf-idf and the hashing trick, with the settings of Corò's thesis."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from vestige.encoders.fitted import EncoderState, FittedEncoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import stop_words
from vestige.types import Floats, Progress, Vectors, silent

FEATURES = 2**18
MOST_COLUMNS = 2**22
BLOCK = 256


class BagOfWords(FittedEncoder):
    """Counts of words of two letters or more, without stop words, each text scaled to unit length."""

    @abstractmethod
    def sparse(self, texts: Sequence[str]) -> sparse.csr_array:
        """The rows of some texts as a sparse matrix."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text; a text without known words has the zero vector."""
        advance = progress(f"encoding with {self.name}", len(texts))
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BLOCK):
            block = texts[start : start + BLOCK]
            rows = self.sparse(block).tocoo()
            vectors[start + rows.row, rows.col] = rows.data
            advance(len(block))
        return vectors


@dataclass(frozen=True)
class TfidfRecipe:
    """The 2^18 most frequent words that occur in at most half the texts, weighted by inverse document frequency."""

    features: int = FEATURES
    most_texts: float = 0.5

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Tfidf":  # noqa: ARG002
        """Learn the words and their weights."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        advance = progress("fitting tfidf", 1)
        vectorizer = TfidfVectorizer(max_df=self.most_texts, max_features=self.features, **_tokenization())
        try:
            vectorizer.fit(corpus.texts)
        except ValueError as error:
            raise InputError(
                f"corpus '{corpus.name}' has no word for tfidf; expected words that occur in at most "
                f"{self.most_texts:.0%} of {len(corpus)} texts; give more texts"
            ) from error
        advance(1)
        return Tfidf(vectorizer.get_feature_names_out().tolist(), vectorizer.idf_)


class Tfidf(BagOfWords):
    """One column per word."""

    family = "tfidf"

    def __init__(self, words: list[str], idf: Floats) -> None:
        self.words = words
        self.idf = idf

    @property
    def dimension(self) -> int:
        """The number of words."""
        return len(self.words)

    @cached_property
    def _vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(vocabulary=self.words, **_tokenization())
        vectorizer.idf_ = self.idf
        return vectorizer

    def sparse(self, texts: Sequence[str]) -> sparse.csr_array:
        """Term frequency times inverse document frequency."""
        return sparse.csr_array(self._vectorizer.transform(texts))

    def state(self) -> EncoderState:
        """The words and their weights."""
        return EncoderState({"words": self.words}, {"idf": self.idf})

    @classmethod
    def from_state(cls, state: EncoderState) -> "Tfidf":
        """Rebuild the encoder from its state."""
        return cls(state.settings["words"], state.tensors["idf"])


@dataclass(frozen=True)
class HashingRecipe:
    """2^18 columns; nothing is learned."""

    features: int = FEATURES

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Hashing":  # noqa: ARG002
        """Nothing to learn; the corpus is not used."""
        return Hashing(self.features)


class Hashing(BagOfWords):
    """One column per remainder of the word's signed hash; words that collide tend to cancel."""

    family = "hashing"

    def __init__(self, features: int = FEATURES) -> None:
        self.features = features

    @property
    def dimension(self) -> int:
        """The number of columns."""
        return self.features

    @cached_property
    def _vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import HashingVectorizer

        return HashingVectorizer(n_features=self.features, alternate_sign=True, norm="l2", **_tokenization())

    def sparse(self, texts: Sequence[str]) -> sparse.csr_array:
        """Signed counts."""
        return sparse.csr_array(self._vectorizer.transform(texts))

    def state(self) -> EncoderState:
        """The number of columns."""
        return EncoderState({"features": self.features})

    @classmethod
    def from_state(cls, state: EncoderState) -> "Hashing":
        """Rebuild the encoder from its state."""
        return cls(state.settings["features"])


def parse_tfidf(argument: str) -> TfidfRecipe:
    """The recipe of "tfidf", or "tfidf:N" for the N most frequent words."""
    return TfidfRecipe(features=parse_columns("tfidf", argument, FEATURES))


def parse_hashing(argument: str) -> HashingRecipe:
    """The recipe of "hashing", or "hashing:N" for N columns."""
    return HashingRecipe(features=parse_columns("hashing", argument, FEATURES))


def parse_columns(name: str, number: str, default: int) -> int:
    """The number of columns after the colon of a spec, or the default."""
    if not number:
        return default
    if not number.isdecimal() or not 1 <= int(number) <= MOST_COLUMNS:
        raise InputError(
            f"'{name}:{number}' gives no number of columns from 1 to {MOST_COLUMNS:,}; "
            f"expected {name} or, say, {name}:4096"
        )
    return int(number)


def _tokenization() -> dict[str, Any]:
    return {"stop_words": sorted(stop_words()), "lowercase": True, "dtype": np.float32}
