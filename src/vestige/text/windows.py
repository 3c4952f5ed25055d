"""Windows of words: runs of a few words as they slide over a text, and how rare the word in the middle is."""

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
    """Every run of so many words of which all are in the lexicon, none across two texts.

    `ids` has a row a window, a column a place, and says which word of the `lexicon` stands there; `texts` is the number
    of the text that the window is from, and `documents` are the documents of the texts.
    """

    lexicon: tuple[str, ...]
    ids: Integers
    texts: Integers
    documents: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus, lexicon: Sequence[str], width: int = 5) -> "Windows":
        """The windows of a corpus, in order; a text shorter than a window has none."""
        if width < 3 or not width % 2:
            raise InputError(f"a window of {width} words has no middle; expected an odd width of 3 or more, such as 5")
        known = {word: number for number, word in enumerate(lexicon)}
        # A word that is not in the lexicon breaks a run, and so does the end of a text.
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
        """The word in the middle of each."""
        return self.ids[:, self.ids.shape[1] // 2]

    @property
    def words(self) -> list[list[str]]:
        """Each window, word for word."""
        return [[self.lexicon[number] for number in row] for row in self.ids.tolist()]

    @property
    def owners(self) -> list[str]:
        """The document of each window."""
        return [self.documents[text] for text in self.texts]

    def take(self, rows: Integers | Flags) -> "Windows":
        """Some of the windows."""
        return replace(self, ids=self.ids[rows], texts=self.texts[rows])

    def standing_in(self, other: "Windows") -> Flags:
        """Which of the windows stand in the other texts too, word for word.

        Windows are told apart by 64 bits, drawn at random: among millions, no two that differ have the same.
        """
        if self.lexicon != other.lexicon:
            raise InputError("the windows have different lexicons, so that their words cannot be compared; give one")
        factors = np.random.default_rng(0).integers(1, 2**64, self.ids.shape[1], dtype=np.uint64)
        ours, theirs = ((each.ids.astype(np.uint64) * factors).sum(axis=1) for each in (self, other))
        return np.isin(ours, theirs)


def rarity_deciles(counts: Sequence[int]) -> Integers:
    """For each word, which tenth of the words it is in: 0 for the most frequent tenth, 9 for the rarest.

    Words are counted, not their occurrences: a tenth of the occurrences are of two or three stop words. Of words that
    are as frequent as one another, those that come first count as the more frequent.
    """
    order = np.argsort(-np.asarray(counts), kind="stable")
    deciles = np.empty(len(order), dtype=np.int64)
    deciles[order] = np.arange(len(order)) * DECILES // max(1, len(order))
    return deciles
