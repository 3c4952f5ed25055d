"""A vocabulary: the words an adversary considers, most frequent first."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Vocabulary:
    """Words by descending number of texts that contain them; ties are in alphabetical order."""

    words: tuple[str, ...]
    counts: tuple[int, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Number the words."""
        object.__setattr__(self, "index", {word: rank for rank, word in enumerate(self.words)})

    @classmethod
    def build(cls, word_sets: Iterable[Set[str]], size: int | None) -> "Vocabulary":
        """The `size` words that the most texts contain; None for all words."""
        counted = Counter(word for words in word_sets for word in words)
        top = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:size]
        return cls(tuple(word for word, _ in top), tuple(count for _, count in top))

    def __len__(self) -> int:
        return len(self.words)

    def indicator(self, word_sets: Sequence[Set[str]]) -> sparse.csr_array:
        """A 0/1 matrix, texts by words, with sorted columns in each row; unknown words are ignored."""
        rows = [sorted(self.index[word] for word in words if word in self.index) for words in word_sets]
        columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
        bounds = np.cumsum([0, *map(len, rows)])
        return sparse.csr_array(
            (np.ones(len(columns), dtype=np.float32), columns, bounds), shape=(len(word_sets), len(self))
        )
