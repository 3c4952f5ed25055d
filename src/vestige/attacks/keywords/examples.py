"""What a keyword is learned from: vectors of texts, and which of them hold it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.text.keywords import keyword_table
from vestige.text.substitution import other_words, put_in, take_out, usual_spelling
from vestige.types import Encoder, Flags, Integers, Progress, Vectors, silent

TOGETHER = 3
EACH = 1200


@dataclass(frozen=True)
class Examples:
    """Vectors, which keyword the text of each holds, and for which keyword it is an example."""

    vectors: Vectors
    labels: Flags
    counted: Flags

    @classmethod
    def of(cls, vectors: Vectors, labels: Flags) -> "Examples":
        """Every row is an example for every keyword."""
        return cls(vectors, labels, np.ones_like(labels))

    @property
    def sides(self) -> list[tuple[Integers, Integers]]:
        """For each keyword the rows that do not hold it, and the rows that do."""
        without, holding = (self.counted & ~self.labels).T, (self.counted & self.labels).T
        return [(np.flatnonzero(no), np.flatnonzero(yes)) for no, yes in zip(without, holding, strict=True)]


class Substitution:
    """Asks the encoder for texts with keywords put in and taken out."""

    def __init__(self, texts: Sequence[str], keywords: Sequence[str], encoder: Encoder) -> None:
        self.texts = texts
        self.keywords = keywords
        self.encoder = encoder
        self.labels = keyword_table(texts, keywords)
        self.spellings = [
            usual_spelling([text for text, there in zip(texts, held, strict=True) if there], keyword)
            for keyword, held in zip(keywords, self.labels.T, strict=True)
        ]

    def doubled(self, vectors: Vectors, rng: np.random.Generator, progress: Progress = silent) -> Examples:
        """For each keyword a corpus of its own: each text, and the text with the keyword put in or taken out."""
        others = other_words(self.texts, self.keywords)
        made = [
            take_out(text, keyword, others, rng) if there else put_in(text, self.spellings[column], rng)
            for column, keyword in enumerate(self.keywords)
            for text, there in zip(self.texts, self.labels[:, column], strict=True)
        ]
        own = np.repeat(np.eye(len(self.keywords), dtype=np.bool_), len(self.texts), axis=0)
        return Examples(
            np.concatenate([vectors, self.encoder.encode(made, progress=progress)]),
            np.concatenate([self.labels, own & ~np.tile(self.labels, (len(self.keywords), 1))]),
            np.concatenate([np.ones_like(self.labels), own]),
        )

    def shared(self, vectors: Vectors, most: int, rng: np.random.Generator, progress: Progress = silent) -> Examples:
        """One corpus for all: the texts, and up to `most` with keywords put in; each tells of every keyword.

        `TOGETHER` keywords go into a text, in turns, until each was put in `EACH` times.
        """
        together = min(TOGETHER, len(self.keywords))
        count = min(most, -(-EACH * len(self.keywords) // together))
        turns = -(-count * together // len(self.keywords))
        columns = np.concatenate([rng.permutation(len(self.keywords)) for _ in range(turns)])
        made = [self._with(columns[row * together : (row + 1) * together], rng) for row in range(count)]
        return Examples.of(
            np.concatenate([vectors, self.encoder.encode(made, progress=progress)]),
            np.concatenate([self.labels, keyword_table(made, self.keywords)]),
        )

    def _with(self, columns: Integers, rng: np.random.Generator) -> str:
        text = self.texts[int(rng.integers(len(self.texts)))]
        for column in columns:
            text = put_in(text, self.spellings[column], rng)
        return text
