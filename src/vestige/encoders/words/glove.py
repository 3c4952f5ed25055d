"""GloVe (Pennington et al. 2014, "Global vectors for word representation"), which no maintained library trains."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from vestige.encoders.model_folder import refuse_argument
from vestige.encoders.words.training import FrequentWords, find_frequent_words
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.types import Progress, Vectors, silent

if TYPE_CHECKING:
    from torch import Tensor

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True)
class GloVeRecipe:
    """Word vectors whose products approximate the logarithms of co-occurrence counts.

    Song and Raghunathan 2020 state the dimension and the iterations; the window, the weighting and the learning rate
    are those of the paper they cite, `min_count` that of the original tool. The original takes a step after every pair,
    on threads in no fixed order. This one takes a step after every `batch` pairs, which is as good (on `speeches` its
    final loss is 1.5% higher) and gives the same bytes for the same seed.
    """

    dimension: int = 100
    window: int = 10
    iterations: int = 50
    learning_rate: float = 0.05
    cap: float = 100.0
    power: float = 0.75
    min_count: int = 5
    batch: int = 32_768

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> WordMean:
        """Count the pairs of frequent words, then factorise; a word's vector is the sum of its two factors."""
        known = find_frequent_words(corpus, self.min_count)
        counts = count_cooccurrences(known, self.window)
        if not counts.nnz:
            raise InputError(
                f"corpus '{corpus.name}' has no text with two words that occur {self.min_count} times or more, "
                "expected many such pairs; give more and longer texts"
            )
        return WordMean("glove", known.words, self.factorise(counts, rng=rng, progress=progress).vectors)

    def factorise(
        self, counts: sparse.csr_array, *, rng: np.random.Generator, progress: Progress = silent
    ) -> "GloVeFit":
        """Gradient descent. Pairs are split into batches once; every iteration visits the batches in a new order."""
        words = GloVeFactor.draw(rng, counts.shape[0], self.dimension, constant=self.dimension + 1)
        contexts = GloVeFactor.draw(rng, counts.shape[0], self.dimension, constant=self.dimension)
        batches = self._split_batches(counts.tocoo(), rng)
        advance = progress("training glove", self.iterations)
        losses = []
        with use_one_thread():
            for _ in range(self.iterations):
                order = rng.permutation(len(batches))
                losses.append(sum(self._step(batches[batch], words, contexts) for batch in order) / counts.nnz)
                advance(1)
        vectors = (words.matrix + contexts.matrix)[:, : self.dimension]
        return GloVeFit(np.ascontiguousarray(vectors), losses)

    def _split_batches(self, counts: sparse.coo_array, rng: np.random.Generator) -> "list[WordPairs]":
        order = rng.permutation(counts.nnz)
        logs = np.log(counts.data).astype(np.float32)
        weights = np.minimum((counts.data / self.cap) ** self.power, 1).astype(np.float32)
        batches = (order[start : start + self.batch] for start in range(0, counts.nnz, self.batch))
        return [WordPairs.build(counts.row[some], counts.col[some], logs[some], weights[some]) for some in batches]

    def _step(self, pairs: "WordPairs", words: "GloVeFactor", contexts: "GloVeFactor") -> float:
        gradient = pairs.gradient(words.matrix[pairs.rows], contexts.matrix[pairs.columns])
        words.descend(pairs.rows, gradient.words, self.learning_rate)
        contexts.descend(pairs.columns, gradient.contexts, self.learning_rate)
        return gradient.loss


def parse_glove(argument: str) -> GloVeRecipe:
    """The recipe of "glove"."""
    refuse_argument("glove", argument)
    return GloVeRecipe()


def count_cooccurrences(known: FrequentWords, window: int) -> sparse.csr_array:
    """A symmetric matrix, words by words: each pair at most `window` words apart in a text adds 1 / distance."""
    index = {word: row for row, word in enumerate(known.words)}
    texts = [np.array([index[word] for word in text], dtype=np.int32) for text in known.texts]
    shape = (len(known.words), len(known.words))
    ahead = sparse.csr_array(shape)
    for distance in range(1, window + 1):
        first = np.concatenate([text[:-distance] for text in texts])
        second = np.concatenate([text[distance:] for text in texts])
        shares = np.full(len(first), 1 / distance)
        ahead = ahead + sparse.coo_array((shares, (first, second)), shape=shape).tocsr()
    return (ahead + ahead.T).tocsr()


@dataclass(frozen=True)
class GloVeFit:
    """The vectors, and the mean loss per pair of each iteration."""

    vectors: Vectors
    losses: list[float]


@dataclass(frozen=True)
class GloVeFactor:
    """One of the two vectors of every word, with AdaGrad's running sums of squared gradients.

    After the vector come two columns, the bias and a constant 1; the other factor has them in the reverse order, so the
    product of two rows includes both biases.
    """

    matrix: Vectors
    squares: Vectors
    constant: int

    @classmethod
    def draw(cls, rng: np.random.Generator, words: int, dimension: int, constant: int) -> "GloVeFactor":
        """Small random vectors, as in the original."""
        matrix = ((rng.random((words, dimension + 2)) - 0.5) / (dimension + 1)).astype(np.float32)
        matrix[:, constant] = 1
        return cls(matrix, np.ones_like(matrix), constant)

    def descend(self, rows: npt.NDArray[np.int32], gradient: Vectors, rate: float) -> None:
        """Move these rows against the gradient, in place; `gradient` is overwritten, the constant column stays."""
        gradient[:, self.constant] = 0
        squares = self.squares[rows]
        step = np.sqrt(squares)
        np.divide(gradient, step, out=step)
        step *= rate
        self.matrix[rows] -= step
        squares += np.square(gradient, out=gradient)
        self.squares[rows] = squares


@dataclass(frozen=True)
class PairGradient:
    """The loss of a batch of pairs and its gradient for the words and contexts of the batch."""

    loss: float
    words: Vectors
    contexts: Vectors


@dataclass(frozen=True)
class WordPairs:
    """A batch of pairs of words that occur near each other.

    `rows` and `columns` are the words and contexts of the batch; `weights` holds the weight of each pair, by position
    in those; `logs` holds the logarithms of the counts at the same positions.
    """

    rows: Ids
    columns: Ids
    weights: sparse.csr_array
    logs: "Tensor"

    @classmethod
    def build(cls, words: Ids, contexts: Ids, logs: Vectors, weights: Vectors) -> "WordPairs":
        """From distinct pairs in any order."""
        rows, row = np.unique(words, return_inverse=True)
        columns, column = np.unique(contexts, return_inverse=True)
        shape = (len(rows), len(columns))
        placed = sparse.coo_array((weights, (row, column)), shape=shape).tocsr()
        return cls(rows, columns, placed, _to_torch(sparse.coo_array((logs, (row, column)), shape=shape).tocsr()))

    def gradient(self, words: Vectors, contexts: Vectors) -> PairGradient:
        """GloVe's objective, half the weighted squared errors of the log counts, and its gradient.

        Products are computed for existing pairs only, with torch's `sampled_addmm`, about seven times as fast as
        gathering two rows per pair. The gradients are products of a sparse and a dense matrix, computed row by row, so
        that threads cannot change a bit.
        """
        import torch

        products = torch.from_numpy(words), torch.from_numpy(contexts).T
        errors = torch.sparse.sampled_addmm(self.logs, *products, beta=-1).values().numpy()
        weights = self.weights
        weighted = sparse.csr_array((weights.data * errors, weights.indices, weights.indptr), weights.shape)
        return PairGradient(float(weighted.data @ errors) / 2, weighted @ contexts, weighted.T @ words)


@contextmanager
def use_one_thread() -> Iterator[None]:
    """Restrict torch to one thread: for products this small a second one only waits."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _to_torch(matrix: sparse.csr_array) -> "Tensor":
    import torch

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        starts, columns, values = map(torch.from_numpy, (matrix.indptr, matrix.indices, matrix.data))
        return torch.sparse_csr_tensor(starts, columns, values, size=matrix.shape, check_invariants=True)
