"""The atoms of a white-box inversion: the words or pieces that a text may consist of, with their vectors."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import sparse

from vestige.attacks.checks import FEWEST_PAIRS
from vestige.attacks.ridge import LinearMap, ridge_map
from vestige.attacks.thresholding import ScoredCandidates
from vestige.attacks.training_set import hold_out
from vestige.errors import InputError
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Flags, Integers, Singles, Vectors, WhiteBox

Guess = Literal["words", "pieces"]

COMMON = 0.0005


@dataclass(frozen=True)
class Dictionary:
    """Atoms by name, with the rows of the word matrix that each is the sum of.

    An atom that is not `claimable` helps to explain a vector and is never guessed.
    """

    names: tuple[str, ...]
    pieces: tuple[tuple[int, ...], ...]
    claimable: Flags

    def __len__(self) -> int:
        return len(self.names)

    @property
    def lengths(self) -> Singles:
        """The number of pieces of each atom."""
        return np.array([len(pieces) for pieces in self.pieces], dtype=np.float32)

    def vectors(self, matrix: Singles) -> Singles:
        """The sum of each atom's pieces: (atoms, width)."""
        columns = np.fromiter((piece for pieces in self.pieces for piece in pieces), dtype=np.int64)
        bounds = np.cumsum([0, *map(len, self.pieces)])
        sums = sparse.csr_array((np.ones(len(columns), np.float32), columns, bounds), shape=(len(self), len(matrix)))
        return np.asarray(sums @ matrix, dtype=np.float32)


@dataclass(frozen=True)
class TokenizedTexts:
    """Auxiliary texts in terms of the encoder's tokenizer.

    `ids` are the rows of the word matrix, in order; `contains` is (texts, atoms), 0 or 1; `sizes` counts the words that
    a perfect attack would guess, those outside the dictionary included.
    """

    dictionary: Dictionary
    ids: list[list[int]]
    contains: sparse.csr_array
    sizes: Integers

    def hold_out(self, documents: Sequence[str] | None, rng: np.random.Generator) -> tuple[Integers, Integers]:
        """Rows to learn from and to decide on, among those that have pieces."""
        rows = np.flatnonzero([len(row) for row in self.ids])
        if len(rows) < FEWEST_PAIRS:
            raise InputError(
                f"{len(rows)} of {len(self.ids)} texts have a word that the encoder knows; "
                f"fit needs at least {FEWEST_PAIRS}"
            )
        owners = None if documents is None else [documents[row] for row in rows.tolist()]
        train, held_out = hold_out(len(rows), owners, rng)
        return rows[train], rows[held_out]


@dataclass(frozen=True)
class LengthEstimator:
    """Infers from a vector how many pieces its text has: linear in the logarithm, at most that of the longest text."""

    log_length: LinearMap
    longest: int

    @classmethod
    def fit(
        cls, vectors: Vectors, ids: Sequence[Sequence[int]], train: Integers, held_out: Integers
    ) -> "LengthEstimator":
        """Learn from texts with their vectors."""
        lengths = np.array([[max(len(row), 1)] for row in ids], dtype=np.float32)
        return cls(ridge_map(vectors, np.log(lengths), train, held_out), int(lengths.max()))

    def estimate(self, vectors: Vectors) -> list[int]:
        """The length of each text."""
        guessed = [np.exp(self.log_length(vector[None])[0, 0]) for vector in vectors]
        return [int(value) for value in np.clip(np.rint(guessed), 1, self.longest)]


def tokenize_texts(box: WhiteBox, texts: Sequence[str], guess: Guess, vocabulary_size: int | None) -> TokenizedTexts:
    """Build the dictionary of a white box over these texts from the most frequent pieces, or content words.

    Without a `vocabulary_size` it has every piece of the encoder, or every content word of the texts.
    """
    ids = [box.word_ids(text) for text in texts]
    tokenized = _pieces(box, ids, vocabulary_size) if guess == "pieces" else _words(box, texts, ids, vocabulary_size)
    if not tokenized.dictionary.claimable.any():
        raise InputError(f"none of {len(texts)} texts has a word that the encoder knows; fit needs words to learn")
    return tokenized


def mean_word_vectors(matrix: Singles, ids: Sequence[Sequence[int]]) -> Singles:
    """Layer 0 of the encoder: the mean of each text's word vectors; zero for a text without words."""
    columns = np.fromiter((piece for row in ids for piece in row), dtype=np.int64)
    lengths = np.array([len(row) for row in ids])
    shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
    bag = sparse.csr_array((shares, columns, np.cumsum([0, *lengths])), shape=(len(ids), len(matrix)))
    return np.asarray(bag @ matrix, dtype=np.float32)


def score_atoms(texts: TokenizedTexts, rows: Integers, places: Integers, scores: Singles) -> ScoredCandidates:
    """The atoms at `places` as candidates of these texts, with these scores; only the claimable ones can be guessed."""
    contains = texts.contains[rows]
    truth = np.split(contains.indices, contains.indptr[1:-1])
    hits = np.array([np.isin(row, true) for row, true in zip(places, truth, strict=True)])
    possible = texts.dictionary.claimable[places]
    return ScoredCandidates(np.where(possible, scores, -np.inf).astype(np.float32), hits & possible, texts.sizes[rows])


def _pieces(box: WhiteBox, ids: list[list[int]], size: int | None) -> TokenizedTexts:
    frequent, contains = _most_frequent([set(row) for row in ids], size, range(len(box.words)) if size is None else ())
    dictionary = Dictionary(
        tuple(box.words[piece] for piece in frequent),
        tuple((piece,) for piece in frequent),
        np.ones(len(frequent), dtype=np.bool_),
    )
    return TokenizedTexts(dictionary, ids, contains, np.array([len(set(row)) for row in ids]))


def _words(box: WhiteBox, texts: Sequence[str], ids: list[list[int]], size: int | None) -> TokenizedTexts:
    """Content words as claimable atoms; the remaining pieces (stop words, rare words) as atoms that are never guessed.

    A word is tokenized with a space before it, which is how byte-level tokenizers see most words.
    """
    sets = [content_words(text) for text in texts]
    spelled = {word: tuple(box.word_ids(f" {word}")) for word in Vocabulary.build(sets, size).words}
    vocabulary = Vocabulary.build([{word for word in words if spelled.get(word)} for words in sets], None)
    left = [
        set(row).difference(*(spelled[word] for word in words if word in vocabulary.index))
        for row, words in zip(ids, sets, strict=True)
    ]
    counted = Counter(piece for row in left for piece in row)
    others, contains = _most_frequent(left, sum(count >= COMMON * len(texts) for count in counted.values()))
    known = [spelled[word] for word in vocabulary.words]
    dictionary = Dictionary(
        (*vocabulary.words, *(box.words[piece] for piece in others)),
        (*known, *((piece,) for piece in others)),
        np.arange(len(known) + len(others)) < len(known),
    )
    combined = sparse.hstack([vocabulary.indicator(sets), contains], format="csr", dtype=np.float32)
    return TokenizedTexts(dictionary, ids, sparse.csr_array(combined), np.array([len(words) for words in sets]))


def _most_frequent(
    sets: Sequence[set[int]], size: int | None, known: Iterable[int] = ()
) -> tuple[list[int], sparse.csr_array]:
    """The pieces that most texts contain, then others that are `known`, and a 0/1 matrix, texts by pieces."""
    counted = Counter(piece for pieces in sets for piece in pieces)
    frequent = sorted({*counted, *known}, key=lambda piece: (-counted[piece], piece))[:size]
    place = {piece: column for column, piece in enumerate(frequent)}
    rows = [sorted(place[piece] for piece in pieces if piece in place) for pieces in sets]
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
    bounds = np.cumsum([0, *map(len, rows)])
    return frequent, sparse.csr_array(
        (np.ones(len(columns), np.float32), columns, bounds), shape=(len(sets), len(frequent))
    )
