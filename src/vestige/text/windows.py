"""Sliding windows of consecutive words, and how rare their centre words are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Flags, Integers

DECILES = 10


@dataclass(frozen=True)
class Windows:
    """Windows of consecutive words of one text, all of them in the lexicon.

    `ids` has one row per window and one column per position: the number of the word in the `lexicon`. `texts` holds the
    number of each window's text, and `documents` the documents of the texts.
    """

    lexicon: tuple[str, ...]
    ids: Integers
    texts: Integers
    documents: tuple[str, ...]

    @classmethod
    def build(cls, corpus: Corpus, lexicon: Sequence[str], width: int = 5) -> "Windows":
        """The windows of a corpus in order; a text shorter than a window has none."""
        if width < 3 or not width % 2:
            raise InputError(f"a window of {width} words has no middle; expected an odd width of 3 or more, such as 5")
        known = {word: number for number, word in enumerate(lexicon)}
        # -1 marks a word outside the lexicon and the end of a text; no window spans it.
        runs = [[known.get(word, -1) for word in words(text)] + [-1] * width for text in corpus.texts]
        flat = np.array([number for run in runs for number in run] or [-1] * width, dtype=np.int64)
        texts = np.repeat(np.arange(len(runs)), [len(run) for run in runs])
        slid = sliding_window_view(flat, width)
        whole = np.flatnonzero((slid >= 0).all(axis=1))
        return cls(tuple(lexicon), slid[whole], texts[whole], tuple(corpus.documents))

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def centres(self) -> Integers:
        """The centre word of each window."""
        return self.ids[:, self.ids.shape[1] // 2]

    @property
    def words(self) -> list[list[str]]:
        """The words of each window."""
        return [[self.lexicon[number] for number in row] for row in self.ids.tolist()]

    @property
    def owners(self) -> list[str]:
        """The document of each window."""
        return [self.documents[text] for text in self.texts]

    def take(self, rows: Integers | Flags) -> "Windows":
        """Some of the windows."""
        return replace(self, ids=self.ids[rows], texts=self.texts[rows])

    def contained_in(self, other: "Windows") -> Flags:
        """Which of these windows are also among the other windows.

        Windows are compared by a random 64-bit hash, which does not collide among millions.
        """
        if self.lexicon != other.lexicon:
            raise InputError("the windows have different lexicons and cannot be compared; build both with one lexicon")
        factors = np.random.default_rng(0).integers(1, 2**64, self.ids.shape[1], dtype=np.uint64)
        ours, theirs = ((windows.ids.astype(np.uint64) * factors).sum(axis=1) for windows in (self, other))
        return np.isin(ours, theirs)


def rarity_deciles(counts: Sequence[int]) -> Integers:
    """The decile of each word by frequency: 0 for the most frequent tenth of the words, 9 for the rarest.

    Deciles count words, not occurrences: two or three stop words make up a tenth of all occurrences. Of equally
    frequent words, the earlier counts as the more frequent.
    """
    order = np.argsort(-np.asarray(counts), kind="stable")
    deciles = np.empty(len(order), dtype=np.int64)
    deciles[order] = np.arange(len(order)) * DECILES // max(1, len(order))
    return deciles
