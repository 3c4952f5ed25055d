"""Counts of words: tf-idf and the hashing trick, as Corò sets them."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from vestige.encoders.fitted import Fitted, State
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import stop_words
from vestige.types import Floats, Progress, Vectors, silent

FEATURES = 2**18
BLOCK = 256


class BagOfWords(Fitted):
    """Counts of words of two letters and more, stop words left out, each text made unit length."""

    @abstractmethod
    def sparse(self, texts: Sequence[str]) -> sparse.csr_array:
        """The rows of a few texts, most of whose columns are zero."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text; a text without known words is the zero vector."""
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
    """Words of at most half the texts, the most frequent 2^18 of them, weighted by inverse document frequency."""

    features: int = FEATURES
    most_texts: float = 0.5

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Tfidf":  # noqa: ARG002
        """Learn the words and their weights."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        advance = progress("fitting tfidf", 1)
        vectorizer = TfidfVectorizer(max_df=self.most_texts, max_features=self.features, **_reading())
        try:
            vectorizer.fit(corpus.texts)
        except ValueError as error:
            raise InputError(
                f"{corpus.name} leaves no word for tfidf; expected words that stand in at most "
                f"{self.most_texts:.0%} of {len(corpus)} texts; give more texts"
            ) from error
        advance(1)
        return Tfidf(vectorizer.get_feature_names_out().tolist(), vectorizer.idf_)


class Tfidf(BagOfWords):
    """One column a word."""

    family = "tfidf"

    def __init__(self, words: list[str], idf: Floats) -> None:
        self.words = words
        self.idf = idf

    @property
    def dimension(self) -> int:
        """As many columns as words."""
        return len(self.words)

    @cached_property
    def _vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(vocabulary=self.words, **_reading())
        vectorizer.idf_ = self.idf
        return vectorizer

    def sparse(self, texts: Sequence[str]) -> sparse.csr_array:
        """Term frequency times inverse document frequency."""
        return sparse.csr_array(self._vectorizer.transform(texts))

    def state(self) -> State:
        """The words and their weights."""
        return State({"words": self.words}, {"idf": self.idf})

    @classmethod
    def from_state(cls, state: State) -> "Tfidf":
        """The encoder that had this state."""
        return cls(state.settings["words"], state.tensors["idf"])


@dataclass(frozen=True)
class HashingRecipe:
    """2^18 columns; nothing is learned."""

    features: int = FEATURES

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Hashing":  # noqa: ARG002
        """Stateless: the corpus is not looked at."""
        return Hashing(self.features)


class Hashing(BagOfWords):
    """One column a remainder of the word's signed hash; words that collide tend to cancel."""

    family = "hashing"

    def __init__(self, features: int = FEATURES) -> None:
        self.features = features

    @property
    def dimension(self) -> int:
        """The number of remainders."""
        return self.features

    @cached_property
    def _vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import HashingVectorizer

        return HashingVectorizer(n_features=self.features, alternate_sign=True, norm="l2", **_reading())

    def sparse(self, texts: Sequence[str]) -> sparse.csr_array:
        """Signed counts."""
        return sparse.csr_array(self._vectorizer.transform(texts))

    def state(self) -> State:
        """The number of columns is all there is."""
        return State({"features": self.features})

    @classmethod
    def from_state(cls, state: State) -> "Hashing":
        """The encoder that had this state."""
        return cls(state.settings["features"])


def _reading() -> dict[str, Any]:
    return {"stop_words": sorted(stop_words()), "lowercase": True, "dtype": np.float32}
