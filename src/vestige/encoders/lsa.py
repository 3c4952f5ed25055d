"""Latent semantic analysis: word counts, reduced to the directions in which a corpus varies most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from vestige.encoders.bag_of_words import BLOCK, BagOfWords, Hashing, HashingRecipe, Tfidf, TfidfRecipe, parse_columns
from vestige.encoders.fitted import EncoderState, FittedEncoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.types import Progress, Vectors, silent

DIMENSION = 1000
_BASES: dict[str, type[BagOfWords]] = {"tfidf": Tfidf, "hashing": Hashing}


@dataclass(frozen=True)
class LsaRecipe:
    """A truncated SVD of the text-by-word matrix, with 1,000 directions, or fewer if the corpus has fewer."""

    base: TfidfRecipe | HashingRecipe
    dimension: int = DIMENSION

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Lsa":
        """Find the directions. Columns that are zero for every text contribute nothing and are removed beforehand."""
        from sklearn.decomposition import TruncatedSVD

        base = self.base.fit(corpus, rng=rng, progress=progress)
        counts = base.sparse(corpus.texts)
        columns = np.unique(counts.indices)
        dimension = min(self.dimension, len(corpus) - 1, len(columns) - 1)
        if dimension < 1:
            raise InputError(
                f"corpus '{corpus.name}' has {len(corpus)} texts with {len(columns)} words; "
                "expected at least two of each for LSA; give more texts"
            )
        advance = progress(f"fitting lsa of {dimension} directions", 1)
        svd = TruncatedSVD(dimension, random_state=int(rng.integers(2**31)))
        svd.fit(sparse.csr_matrix(counts[:, columns]))
        advance(1)
        return Lsa(base, columns.astype(np.int64), svd.components_.astype(np.float32))


class Lsa(FittedEncoder):
    """The projected word counts of a text, scaled to unit length; a text without known words has the zero vector."""

    def __init__(self, base: BagOfWords, columns: npt.NDArray[np.int64], components: Vectors) -> None:
        self.base = base
        self.columns = columns
        self.components = components
        self.family = f"lsa:{base.family}"
        self._by_word = np.ascontiguousarray(components.T)

    @property
    def dimension(self) -> int:
        """The number of directions."""
        return len(self.components)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given."""
        advance = progress(f"encoding with {self.name}", len(texts))
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BLOCK):
            block = texts[start : start + BLOCK]
            projected = self.base.sparse(block)[:, self.columns] @ self._by_word
            norms = np.linalg.norm(projected, axis=1, keepdims=True)
            vectors[start : start + len(block)] = projected / np.where(norms > 0, norms, 1)
            advance(len(block))
        return vectors

    def state(self) -> EncoderState:
        """The state of the underlying counts, the columns in use and the directions."""
        below = self.base.state()
        settings: dict[str, Any] = {"base": self.base.family, **below.settings}
        return EncoderState(settings, {**below.tensors, "columns": self.columns, "components": self.components})

    @classmethod
    def from_state(cls, state: EncoderState) -> "Lsa":
        """Rebuild the encoder from its state."""
        base = _BASES[state.settings["base"]].from_state(state)
        return cls(base, state.tensors["columns"], state.tensors["components"])


def parse_lsa(argument: str) -> LsaRecipe:
    """The recipe of "lsa:tfidf" or "lsa:hashing", with ":N" for N directions."""
    base, _, dimension = argument.partition(":")
    bases: dict[str, TfidfRecipe | HashingRecipe] = {"tfidf": TfidfRecipe(), "hashing": HashingRecipe()}
    if base not in bases:
        raise InputError(f"'lsa:{argument}' names no word counts to reduce; expected lsa:tfidf or lsa:hashing")
    return LsaRecipe(bases[base], parse_columns(f"lsa:{base}", dimension, DIMENSION))
