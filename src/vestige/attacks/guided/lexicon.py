"""The words that guided inversion writes with: the lexicon, a bigram model, and the palette of one target."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from vestige.text.words import detokenize, tokenize
from vestige.types import Floats, Integers, Singles, Vectors

DISCOUNT = 0.75
EDGE = 0
WANTED = 60
Text = tuple[int, ...]
"""Words by their place in a palette."""


@dataclass(frozen=True)
class Lexicon:
    """Words and punctuation marks of the auxiliary texts, most frequent first; the number after the last is the edge.

    The edge precedes the first word of a text and follows its last.
    """

    words: tuple[str, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Number the words."""
        object.__setattr__(self, "index", {word: rank for rank, word in enumerate(self.words)})

    @classmethod
    def build(cls, texts: Iterable[str], size: int) -> "Lexicon":
        """The `size` most frequent words; ties in alphabetical order."""
        counted = Counter(token for text in texts for token in tokenize(text))
        frequent = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:size]
        return cls(tuple(word for word, _ in frequent))

    def add(self, words: Iterable[str]) -> "Lexicon":
        """The same with further words after its own, each that is one token."""
        new = (word for word in words if word not in self.index and tokenize(word) == [word])
        return Lexicon((*self.words, *dict.fromkeys(new)))

    @property
    def edge(self) -> int:
        """The number of the edge."""
        return len(self.words)

    def parse(self, text: str) -> tuple[int, ...]:
        """The words of a text by number; unknown words are skipped."""
        return tuple(self.index[token] for token in tokenize(text) if token in self.index)

    def spell(self, numbers: Sequence[int]) -> str:
        """The text of these words."""
        return detokenize(self.words[number] for number in numbers)

    def counts(self, texts: Sequence[str]) -> sparse.csr_array:
        """Texts by words: how often each word occurs in each text."""
        rows = [self.parse(text) for text in texts]
        columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
        bounds = np.cumsum([0, *map(len, rows)])
        counted = sparse.csr_array(
            (np.ones(len(columns), dtype=np.float32), columns, bounds), shape=(len(rows), len(self.words))
        )
        counted.sum_duplicates()
        return counted


class BigramModel:
    """Which word follows which, with the smoothing of Kneser and Ney (1995).

    A pair seen c times after a word seen n times in all has (c - D) / n of the probability; what the discount D removes
    goes to words by the number of different words they follow.
    """

    def __init__(self, texts: Sequence[Sequence[int]], edge: int) -> None:
        pairs = np.array([pair for text in texts for pair in zip([edge, *text], [*text, edge], strict=True)])
        size = edge + 1
        seen = sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(size, size)).tocsr()
        seen.sum_duplicates()
        self._seen = seen
        self._total = np.maximum(np.asarray(seen.sum(axis=1)).ravel(), 1)
        self._spared = np.where(np.diff(seen.indptr) > 0, DISCOUNT * np.diff(seen.indptr) / self._total, 1)
        followed = np.bincount(seen.indices, minlength=size) + 0.5
        self._continuation = followed / followed.sum()

    def table(self, words: Integers) -> Floats:
        """Log probabilities among these words: the row is the word before, the column the word after."""
        seen = np.maximum(self._seen[words][:, words].toarray() - DISCOUNT, 0) / self._total[words, None]
        table: Floats = np.log(seen + self._spared[words, None] * self._continuation[words])
        return table


@dataclass(frozen=True)
class Palette:
    """The words that one target's text may consist of: numbers, effects on a vector, bigram log probabilities.

    The first one is the edge of a text: it has no effect, and in the place of a word it stands for none. `outputs` has
    a learned editor's weights of the words, with the bias in the last column; the edge has those of a deletion.
    """

    numbers: Integers
    effects: Vectors
    follows: Floats
    outputs: Singles | None = None

    def frame(self, texts: Integers) -> Integers:
        """Texts of one length, one per row, with an edge on either side."""
        return np.pad(texts, ((0, 0), (1, 1)), constant_values=EDGE)

    def fluency(self, texts: Integers) -> Floats:
        """The log probability of each text, one per row, all of one length."""
        framed = self.frame(texts)
        total: Floats = self.follows[framed[:, :-1], framed[:, 1:]].sum(axis=1)
        return total


@dataclass(frozen=True)
class WordStock:
    """All words, from which palettes are taken; the effect of the edge, their last, is zero."""

    effects: Vectors
    language: BigramModel
    outputs: Singles | None = None

    def palette(self, numbers: Iterable[int]) -> Palette:
        """A palette of these words, each once, in the order given."""
        chosen = np.array([len(self.effects) - 1, *dict.fromkeys(numbers)])
        outputs = None if self.outputs is None else self.outputs[chosen]
        return Palette(chosen, self.effects[chosen], self.language.table(chosen), outputs)

    def widen(self, palette: Palette, vector: Vectors, target: Vectors, length: int) -> Palette:
        """Add the words that would bring a text of this vector and length closest to the target."""
        moved = vector + self.effects[:-1] / np.sqrt(length + 1)
        cosines = moved @ target / np.maximum(np.linalg.norm(moved, axis=1), 1e-6)
        wanted = np.argsort(-cosines, kind="stable")[:WANTED].tolist()
        return self.palette([*palette.numbers[1:].tolist(), *wanted])
