"""What the baselines share that train a decoder: input checks, and from scores to ranked words."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from vestige.attacks.rows import length_scale, split_blocks
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.text.importance import Importance
from vestige.types import Singles, Vectors, WordGuesses

if TYPE_CHECKING:
    from scipy import sparse

    from vestige.attacks.word_decoder import WordDecoder


LabelledVectors = tuple[Vectors, Importance]
"""Vectors of documents, and the importance of their words."""

RANKED, CLAIMED = 50, 5
_ROWS_AT_ONCE = 256
FEWEST_PAIRS = 5


class DecoderBaseline:
    """Ranks words by the scores of the decoder that `fit` stored."""

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The best words of each vector, ranked; each probability is that of coming first."""
        if not hasattr(self, "decoder_"):
            raise NotFitted(f"{type(self).__name__}.infer was called before fit; call fit with pairs first")
        return rank_words(self.scale_ * as_vectors(vectors, self.columns_), self.words_, self.decoder_.scores)

    def _store(self, decoder: "WordDecoder", importance: Importance, columns: int, scale: np.float32) -> None:
        self.decoder_ = decoder
        self.words_ = importance.words
        self.columns_ = columns
        self.scale_ = scale


def rank_words(vectors: Vectors, words: Sequence[str], scores_of: Callable[[Vectors], Singles]) -> WordGuesses:
    """The fifty words with the best scores and their probability to come first; the best five are guessed."""
    ranked: list[list[tuple[str, float]]] = []
    for block, count in split_blocks(vectors, _ROWS_AT_ONCE):
        scores = scores_of(block)[:count].astype(np.float64)
        chances = softmax(scores, axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :RANKED]
        for places, row in zip(order, chances, strict=True):
            ranked.append([(words[place], float(row[place])) for place in places])
    return WordGuesses([frozenset(word for word, _ in row[:CLAIMED]) for row in ranked], ranked)


def as_weighed(given: npt.ArrayLike, importance: Importance) -> Vectors:
    """Vectors of documents whose importance is known: as many as there are documents."""
    vectors = as_vectors(given)
    if len(vectors) != len(importance):
        raise InputError(
            f"{len(vectors)} vectors but {len(importance)} documents with importance; fit needs one per vector"
        )
    return vectors


def as_labelled_pairs(given: npt.ArrayLike, importance: Importance) -> Vectors:
    """The same for pairs: enough of them, and some word that matters."""
    vectors = as_weighed(given, importance)
    if len(vectors) < FEWEST_PAIRS:
        raise InputError(f"{len(vectors)} pairs are too few to learn from; fit needs at least {FEWEST_PAIRS}")
    if not importance.weights.nnz:
        raise InputError(f"none of {len(vectors)} documents has a word of the vocabulary; fit needs words to learn")
    return vectors


def scale_held(
    validation: LabelledVectors | None, vectors: Vectors, scale: np.float32
) -> "tuple[Vectors, sparse.csr_array] | None":
    """Further pairs on which the best epoch is chosen, at the scale of the pairs; None if there are none."""
    if validation is None or not len(validation[0]):
        return None
    further = as_vectors(as_weighed(*validation), vectors.shape[1])
    return scale * further, validation[1].weights


def as_further_vectors(given: npt.ArrayLike, what: str, columns: int | None = None) -> Vectors:
    """Further vectors; with `columns`, scaled to a mean length of 1 and padded with zeros or cut to so many columns.

    The columns of two encoders are unrelated, in the paper as well.
    """
    vectors = as_vectors(given)
    if not len(vectors):
        raise InputError(f"no {what}; fit needs some to learn from")
    if columns is None:
        return vectors
    vectors = vectors * length_scale(vectors)
    cut = vectors[:, :columns]
    return np.pad(cut, ((0, 0), (0, columns - cut.shape[1])))


def check_same_words(pairs: Importance, external: Importance) -> None:
    """Both must have one vocabulary."""
    if pairs.words != external.words:
        raise InputError(
            f"pairs are weighed over {len(pairs.words)} words, external documents over {len(external.words)} others; "
            "weigh both with one vocabulary"
        )
