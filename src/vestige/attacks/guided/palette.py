"""The words that one target's text may be made of."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vestige.attacks.guided.language import BigramModel
from vestige.types import Floats, Integers, Vectors

EDGE = 0
WANTED = 60

Text = tuple[int, ...]
"""Words by their place in a palette."""


@dataclass(frozen=True)
class Palette:
    """Words by their number in the lexicon, what each does to a vector, and how likely each follows each.

    The first one is the edge of a text: it has no effect, and where a word is put it stands for none.
    """

    numbers: Integers
    effects: Vectors
    follows: Floats

    def framed(self, texts: Integers) -> Integers:
        """Texts of one length, one a row, with an edge on either side."""
        return np.pad(texts, ((0, 0), (1, 1)), constant_values=EDGE)

    def fluency(self, texts: Integers) -> Floats:
        """The log probability of each text, one a row, all of one length."""
        framed = self.framed(texts)
        total: Floats = self.follows[framed[:, :-1], framed[:, 1:]].sum(axis=1)
        return total


@dataclass(frozen=True)
class WordStock:
    """All words there are, from which palettes are taken; the effect of the edge, their last, is nothing."""

    effects: Vectors
    language: BigramModel

    def palette(self, numbers: Iterable[int]) -> Palette:
        """A palette of these words, each once, in the order given."""
        kept = np.array([len(self.effects) - 1, *dict.fromkeys(numbers)])
        return Palette(kept, self.effects[kept], self.language.table(kept))

    def widened(self, palette: Palette, vector: Vectors, target: Vectors, length: int) -> Palette:
        """With the words that would bring a text of this vector and length closest to the target, one more of each."""
        moved = vector + self.effects[:-1] / np.sqrt(length + 1)
        cosines = moved @ target / np.maximum(np.linalg.norm(moved, axis=1), 1e-6)
        wanted = np.argsort(-cosines, kind="stable")[:WANTED].tolist()
        return self.palette([*palette.numbers[1:].tolist(), *wanted])
