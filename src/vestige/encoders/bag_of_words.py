"""Word counts: tf-idf and the hashing trick, with the settings of Corò's thesis."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
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
WITHOUT = "without="


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
    """The 2^18 most frequent words that occur in at most half the texts, weighted by inverse document frequency.

    Words in `without` have no column, so that no vector says whether a text contains them: the "first line of defense"
    of Corò 2022, Section 2.1. The words next to them may still tell.
    """

    features: int = FEATURES
    most_texts: float = 0.5
    without: tuple[str, ...] = ()

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Tfidf":  # noqa: ARG002
        """Learn the words and their weights."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        advance = progress("fitting tfidf", 1)
        vectorizer = TfidfVectorizer(max_df=self.most_texts, max_features=self.features, **_tokenization(self.without))
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
    """The recipe of "tfidf", "tfidf:N" for the N most frequent words, "tfidf:without=FILE" for all but some."""
    before, left_out, path = argument.partition(WITHOUT)
    features = parse_columns("tfidf", before.removesuffix(",") if left_out else before, FEATURES)
    return TfidfRecipe(features=features, without=_read_words(Path(path)) if left_out else ())


def _read_words(path: Path) -> tuple[str, ...]:
    """The words of a file, one per line, in lower case."""
    if not path.is_file():
        raise InputError(f"tfidf:{WITHOUT}{path} names no file; expected one with a word per line to leave out")
    words = sorted({line.strip().lower() for line in path.read_text(encoding="utf-8").splitlines()} - {""})
    if not words:
        raise InputError(f"{path} is empty; expected a word per line to leave out")
    if several := [word for word in words if len(word.split()) > 1]:
        raise InputError(f"{path} has '{several[0]}', expected one word per line; put each word on a line of its own")
    return tuple(words)


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


def _tokenization(without: Sequence[str] = ()) -> dict[str, Any]:
    return {"stop_words": sorted({*stop_words(), *without}), "lowercase": True, "dtype": np.float32}
