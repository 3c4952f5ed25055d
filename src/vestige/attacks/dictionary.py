"""The atoms of a white-box inversion: what a text may be made of, each with its vector in the word matrix."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import sparse

from vestige.errors import InputError
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Flags, Integers, Singles, WhiteBox

Guess = Literal["words", "pieces"]

COMMON = 0.0005


@dataclass(frozen=True)
class Dictionary:
    """Atoms by name, with the rows of the word matrix that each is the sum of.

    An atom that is not `claimable` helps to explain a vector, and is never guessed.
    """

    names: tuple[str, ...]
    pieces: tuple[tuple[int, ...], ...]
    claimable: Flags

    def __len__(self) -> int:
        return len(self.names)

    @property
    def lengths(self) -> Singles:
        """Pieces of each atom."""
        return np.array([len(pieces) for pieces in self.pieces], dtype=np.float32)

    def vectors(self, matrix: Singles) -> Singles:
        """The sum of each atom's pieces: (atoms, width)."""
        columns = np.fromiter((piece for pieces in self.pieces for piece in pieces), dtype=np.int64)
        bounds = np.cumsum([0, *map(len, self.pieces)])
        sums = sparse.csr_array((np.ones(len(columns), np.float32), columns, bounds), shape=(len(self), len(matrix)))
        return np.asarray(sums @ matrix, dtype=np.float32)


@dataclass(frozen=True)
class Reading:
    """Auxiliary texts as their owner reads them.

    `ids` are the rows of the word matrix, in order; `holds` says which atoms a text has, (texts, atoms); `sizes`
    counts the words that a perfect attack would guess, those beyond the dictionary as well.
    """

    dictionary: Dictionary
    ids: list[list[int]]
    holds: sparse.csr_array
    sizes: Integers


def read_texts(box: WhiteBox, texts: Sequence[str], guess: Guess, vocabulary_size: int) -> Reading:
    """The dictionary of a white box over these texts: the most frequent pieces, or the most frequent content words."""
    ids = [box.word_ids(text) for text in texts]
    read = _pieces(box, ids, vocabulary_size) if guess == "pieces" else _words(box, texts, ids, vocabulary_size)
    if not read.dictionary.claimable.any():
        raise InputError(f"none of {len(texts)} texts has a word that the encoder knows; fit needs words to learn")
    return read


def mean_words(matrix: Singles, ids: Sequence[Sequence[int]]) -> Singles:
    """The layer below all others: the mean of each text's word vectors; zero for a text without words."""
    columns = np.fromiter((piece for row in ids for piece in row), dtype=np.int64)
    lengths = np.array([len(row) for row in ids])
    shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
    bag = sparse.csr_array((shares, columns, np.cumsum([0, *lengths])), shape=(len(ids), len(matrix)))
    return np.asarray(bag @ matrix, dtype=np.float32)


def _pieces(box: WhiteBox, ids: list[list[int]], size: int) -> Reading:
    kept, holds = _most_frequent([set(row) for row in ids], size)
    dictionary = Dictionary(
        tuple(box.words[piece] for piece in kept), tuple((piece,) for piece in kept), np.ones(len(kept), dtype=np.bool_)
    )
    return Reading(dictionary, ids, holds, np.array([len(set(row)) for row in ids]))


def _words(box: WhiteBox, texts: Sequence[str], ids: list[list[int]], size: int) -> Reading:
    """Content words, and beside them what is left of each text: pieces of stop words and of words too rare to know.

    A word is spelled as after a space, which is how byte-level tokenizers see most of them.
    """
    sets = [content_words(text) for text in texts]
    spelled = {word: tuple(box.word_ids(f" {word}")) for word in Vocabulary.build(sets, size).words}
    vocabulary = Vocabulary.build([{word for word in words if spelled.get(word)} for words in sets], None)
    left = [
        set(row).difference(*(spelled[word] for word in words if word in vocabulary.index))
        for row, words in zip(ids, sets, strict=True)
    ]
    counted = Counter(piece for row in left for piece in row)
    beside, holds = _most_frequent(left, sum(count >= COMMON * len(texts) for count in counted.values()))
    known = [spelled[word] for word in vocabulary.words]
    dictionary = Dictionary(
        (*vocabulary.words, *(box.words[piece] for piece in beside)),
        (*known, *((piece,) for piece in beside)),
        np.arange(len(known) + len(beside)) < len(known),
    )
    together = sparse.hstack([vocabulary.indicator(sets), holds], format="csr", dtype=np.float32)
    return Reading(dictionary, ids, sparse.csr_array(together), np.array([len(words) for words in sets]))


def _most_frequent(sets: Sequence[set[int]], size: int) -> tuple[list[int], sparse.csr_array]:
    """The pieces that most texts hold, and a 0/1 matrix of which text holds which."""
    counted = Counter(piece for pieces in sets for piece in pieces)
    kept = sorted(counted, key=lambda piece: (-counted[piece], piece))[:size]
    place = {piece: column for column, piece in enumerate(kept)}
    rows = [sorted(place[piece] for piece in pieces if piece in place) for pieces in sets]
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
    bounds = np.cumsum([0, *map(len, rows)])
    return kept, sparse.csr_array((np.ones(len(columns), np.float32), columns, bounds), shape=(len(sets), len(kept)))
