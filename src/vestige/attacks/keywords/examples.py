"""What a keyword is learned from: vectors of texts, and which of them hold it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.text.keywords import keyword_table
from vestige.text.substitution import other_words, put_in, take_out, usual_spelling
from vestige.types import Encoder, Flags, Integers, Progress, Vectors, silent


@dataclass(frozen=True)
class Examples:
    """For each keyword two lists of rows of `vectors`: texts that do not hold it, and texts that do."""

    vectors: Vectors
    sides: list[tuple[Integers, Integers]]

    @classmethod
    def of(cls, vectors: Vectors, labels: Flags) -> "Examples":
        """Every row is an example for every keyword."""
        return cls(vectors, [(np.flatnonzero(~column), np.flatnonzero(column)) for column in labels.T])


class Substitution:
    """Asks the encoder for texts with keywords put in and taken out."""

    def __init__(self, texts: Sequence[str], keywords: Sequence[str], encoder: Encoder) -> None:
        self.texts = texts
        self.keywords = keywords
        self.encoder = encoder
        self.labels = keyword_table(texts, keywords)
        self.others = other_words(texts, keywords)

    def doubled(self, vectors: Vectors, rng: np.random.Generator, progress: Progress = silent) -> Examples:
        """For each keyword a corpus of its own: each text, and the text with the keyword put in or taken out."""
        rows = np.arange(len(self.texts))
        made = [text for column in range(len(self.keywords)) for text in self._changed(rows, column, rng)]
        sides = []
        for column, held in enumerate(self.labels.T):
            own = rows + (column + 1) * len(rows)
            sides.append((np.concatenate([rows[~held], own[held]]), np.concatenate([rows[held], own[~held]])))
        return Examples(np.concatenate([vectors, self.encoder.encode(made, progress=progress)]), sides)

    def shared(self, vectors: Vectors, each: int, rng: np.random.Generator, progress: Progress = silent) -> Examples:
        """One corpus for all: the texts, and `each` more a keyword; every one of them tells of every keyword."""
        made = [
            text
            for column in range(len(self.keywords))
            for text in self._changed(self._chosen(column, each, rng), column, rng)
        ]
        labels = np.concatenate([self.labels, keyword_table(made, self.keywords)])
        return Examples.of(np.concatenate([vectors, self.encoder.encode(made, progress=progress)]), labels)

    def _chosen(self, column: int, each: int, rng: np.random.Generator) -> Integers:
        """Texts that hold the keyword, up to half of `each`, and texts that do not."""
        held = self.labels[:, column]
        with_it, without_it = (rng.permutation(np.flatnonzero(side)) for side in (held, ~held))
        taken = with_it[: each // 2]
        return np.concatenate([taken, without_it[: each - len(taken)]])

    def _changed(self, rows: Integers, column: int, rng: np.random.Generator) -> list[str]:
        keyword, held = self.keywords[column], self.labels[:, column]
        spelling = usual_spelling([text for text, there in zip(self.texts, held, strict=True) if there], keyword)
        return [
            take_out(text, keyword, self.others, rng) if there else put_in(text, spelling, rng)
            for text, there in ((self.texts[row], held[row]) for row in rows.tolist())
        ]
