"""What a keyword is learned from: vectors of texts, which of them contain it, and texts with the keyword inserted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.text.keywords import keyword_table, split_keyword
from vestige.text.substitution import find_usual_spelling, insert_keyword, list_other_words, replace_keyword
from vestige.types import Encoder, Flags, Integers, Progress, Vectors, silent

TOGETHER = 3
EACH = 1200


@dataclass(frozen=True)
class Examples:
    """Vectors, which keywords the text of each contains (`labels`), and for which it is an example (`counted`)."""

    vectors: Vectors
    labels: Flags
    counted: Flags

    @classmethod
    def build(cls, vectors: Vectors, labels: Flags) -> "Examples":
        """Every row is an example for every keyword."""
        return cls(vectors, labels, np.ones_like(labels))

    def take(self, rows: Integers | slice) -> "Examples":
        """Some of the rows."""
        return Examples(self.vectors[rows], self.labels[rows], self.counted[rows])

    def sample(self, most: int) -> "Examples":
        """At most `most` rows, evenly spaced."""
        rows = len(self.vectors)
        return self if rows <= most else self.take(np.linspace(0, rows - 1, most).astype(int))

    def select(self, keywords: Integers) -> "Examples":
        """Some of the keywords."""
        return Examples(self.vectors, self.labels[:, keywords], self.counted[:, keywords])

    @property
    def sides(self) -> list[tuple[Integers, Integers]]:
        """For each keyword the rows without it, and the rows with it."""
        without, holding = (self.counted & ~self.labels).T, (self.counted & self.labels).T
        return [(np.flatnonzero(no), np.flatnonzero(yes)) for no, yes in zip(without, holding, strict=True)]


class Substitution:
    """Queries the encoder for texts with keywords inserted and removed."""

    def __init__(self, texts: Sequence[str], keywords: Sequence[str], encoder: Encoder) -> None:
        self.texts = texts
        self.keywords = keywords
        self.encoder = encoder
        self.labels = keyword_table(texts, keywords)
        self.spellings = [
            find_usual_spelling([text for text, present in zip(texts, contained, strict=True) if present], keyword)
            for keyword, contained in zip(keywords, self.labels.T, strict=True)
        ]

    def build_per_keyword(self, vectors: Vectors, rng: np.random.Generator, progress: Progress = silent) -> Examples:
        """A corpus for each keyword: each text, and the text with the keyword inserted or removed."""
        others = list_other_words(self.texts, self.keywords)
        made = [
            replace_keyword(text, keyword, others, rng) if there else insert_keyword(text, self.spellings[column], rng)
            for column, keyword in enumerate(self.keywords)
            for text, there in zip(self.texts, self.labels[:, column], strict=True)
        ]
        own = np.repeat(np.eye(len(self.keywords), dtype=np.bool_), len(self.texts), axis=0)
        return Examples(
            np.concatenate([vectors, self.encoder.encode(made, progress=progress)]),
            np.concatenate([self.labels, own & ~np.tile(self.labels, (len(self.keywords), 1))]),
            np.concatenate([np.ones_like(self.labels), own]),
        )

    def build_shared(
        self, vectors: Vectors, most: int, rng: np.random.Generator, progress: Progress = silent
    ) -> Examples:
        """One corpus for all: the texts, and up to `most` with keywords inserted, each an example for every keyword.

        `TOGETHER` keywords go into a text, in turns, until each was inserted `EACH` times.
        """
        together = min(TOGETHER, len(self.keywords))
        count = min(most, -(-EACH * len(self.keywords) // together))
        turns = -(-count * together // len(self.keywords))
        columns = np.concatenate([rng.permutation(len(self.keywords)) for _ in range(turns)])
        made = [self._insert(columns[row * together : (row + 1) * together], rng) for row in range(count)]
        return Examples.build(
            np.concatenate([vectors, self.encoder.encode(made, progress=progress)]),
            np.concatenate([self.labels, keyword_table(made, self.keywords)]),
        )

    def _insert(self, columns: Integers, rng: np.random.Generator) -> str:
        text = self.texts[int(rng.integers(len(self.texts)))]
        for column in columns:
            text = insert_keyword(text, self.spellings[column], rng)
        return text


def as_keywords(given: Sequence[str]) -> tuple[str, ...]:
    """Check that there are keywords, each with a word in it, none twice."""
    if isinstance(given, str) or not given:
        raise InputError(f"keywords={given!r} is not a list of keywords; give one or more, such as ['hong kong']")
    seen: dict[tuple[str, ...], str] = {}
    for keyword in given:
        words = split_keyword(keyword)
        if words in seen:
            raise InputError(f"the keywords {seen[words]!r} and {keyword!r} are the same words; give each once")
        seen[words] = keyword
    return tuple(given)


def as_flags(given: object, texts: int, keywords: Sequence[str]) -> Flags:
    """A table of flags, one row per text and one column per keyword."""
    labels = np.asarray(given)
    if labels.shape != (texts, len(keywords)) or not np.isin(labels, (0, 1)).all():
        raise InputError(
            f"the labels have shape {labels.shape} for {texts} vectors and {len(keywords)} keywords; "
            "give a table of flags, one row per vector and one column per keyword"
        )
    return labels.astype(np.bool_)


def check_both_classes(labels: Flags, keywords: Sequence[str], remedy: str, counted: Flags | None = None) -> None:
    """Refuse a keyword that no example contains, or that all contain: it cannot be learned."""
    own = np.ones_like(labels) if counted is None else counted
    for keyword, column, among in zip(keywords, labels.T, own.T, strict=True):
        share, examples = column[among].mean() if among.any() else 0, int(among.sum())
        if share in (0, 1):
            found = "none" if share == 0 else "every one"
            raise InputError(
                f"{found} of the {examples} texts contains the keyword {keyword!r}; "
                f"expected some that do and some that do not; {remedy}"
            )
