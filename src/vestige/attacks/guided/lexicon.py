"""The words and marks that texts are made of when they are written anew."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from vestige.text.tokens import tokens, written


@dataclass(frozen=True)
class Lexicon:
    """Words and punctuation marks of the auxiliary texts, most frequent first; the number after the last is an edge.

    The edge stands before the first word of a text and after its last.
    """

    words: tuple[str, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Number the words."""
        object.__setattr__(self, "index", {word: rank for rank, word in enumerate(self.words)})

    @classmethod
    def build(cls, texts: Iterable[str], size: int) -> "Lexicon":
        """The `size` most frequent words; ties in alphabetical order."""
        counted = Counter(token for text in texts for token in tokens(text))
        kept = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:size]
        return cls(tuple(word for word, _ in kept))

    @property
    def edge(self) -> int:
        """The number of what is outside a text."""
        return len(self.words)

    def read(self, text: str) -> tuple[int, ...]:
        """The words of a text by number; unknown ones are passed over."""
        return tuple(self.index[token] for token in tokens(text) if token in self.index)

    def spell(self, numbers: Sequence[int]) -> str:
        """The text that these words make."""
        return written(self.words[number] for number in numbers)

    def counts(self, texts: Sequence[str]) -> sparse.csr_array:
        """Texts by words: how often each word stands in each text."""
        rows = [self.read(text) for text in texts]
        columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
        bounds = np.cumsum([0, *map(len, rows)])
        counted = sparse.csr_array(
            (np.ones(len(columns), dtype=np.float32), columns, bounds), shape=(len(rows), len(self.words))
        )
        counted.sum_duplicates()
        return counted
