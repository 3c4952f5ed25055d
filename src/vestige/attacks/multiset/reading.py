"""What an encoder reads of a text: words that may be claimed, and the fillers between them."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy import sparse

from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, words

FEWEST_TEXTS = 20


@dataclass(frozen=True)
class Reading:
    """Columns: the words of the vocabulary first, then fillers, stop words and punctuation marks.

    A filler is never claimed. It moves the vector all the same, and what it moves must not be laid to other words.
    """

    vocabulary: Vocabulary
    fillers: Vocabulary

    @classmethod
    def of(cls, texts: Sequence[str], vocabulary: Vocabulary) -> "Reading":
        """Fillers are those of at least `FEWEST_TEXTS` texts."""
        seen = Vocabulary.build(map(_fillers, texts), size=None)
        kept = sum(count >= FEWEST_TEXTS for count in seen.counts)
        return cls(vocabulary, Vocabulary(seen.words[:kept], seen.counts[:kept]))

    def indicator(self, labels: sparse.csr_array, texts: Sequence[str]) -> sparse.csr_array:
        """A 0/1 matrix, texts by columns; `labels` is what the vocabulary has of it."""
        return sparse.csr_array(sparse.hstack([labels, self.fillers.indicator([_fillers(text) for text in texts])]))


def _fillers(text: str) -> frozenset[str]:
    stops = {word for word in words(text) if content_form(word) is None}
    return frozenset(stops | {mark for mark in text if not mark.isalnum() and not mark.isspace()})
