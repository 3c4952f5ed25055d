"""Texts with the documents they belong to and the columns that came with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from vestige.errors import InputError
from vestige.text.sentences import split_sentences
from vestige.text.words import count_words


@dataclass(frozen=True)
class Corpus:
    """One row a text. Rows of one document carry the same id in `documents`; splits never part them.

    The two column names say where texts and documents were read; no document column means a document a row.
    """

    name: str
    texts: list[str]
    documents: list[str] = field(default_factory=list)
    attributes: dict[str, list[Any]] = field(default_factory=dict)
    text_column: str | None = None
    document_column: str | None = None

    def __post_init__(self) -> None:
        """Give every row a document of its own where none was named, and check that the columns are as long."""
        if not self.documents:
            object.__setattr__(self, "documents", [str(row) for row in range(len(self.texts))])
        for column, values in {"documents": self.documents, **self.attributes}.items():
            if len(values) != len(self.texts):
                raise InputError(
                    f"corpus '{self.name}' has {len(self.texts)} texts but {len(values)} values in '{column}'; "
                    "every column needs one value a text"
                )

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: Sequence[int]) -> "Corpus":
        """The rows asked for, in the order asked for."""
        return replace(
            self,
            texts=[self.texts[row] for row in rows],
            documents=[self.documents[row] for row in rows],
            attributes={name: [values[row] for row in rows] for name, values in self.attributes.items()},
        )

    def sentences(self, shortest: int = 1, longest: float = inf) -> "Corpus":
        """One row a sentence of `shortest` to `longest` words; documents and attributes go with each."""
        rows, sentences = [], []
        for row, text in enumerate(self.texts):
            for sentence in split_sentences(text):
                if shortest <= count_words(sentence) <= longest:
                    rows.append(row)
                    sentences.append(sentence)
        return replace(self.take(rows), texts=sentences)
