"""A corpus: texts with the documents they belong to and their other columns, read from a file and written to one."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.files import write_whole
from vestige.text.columns import find_column, find_text_column, survey_columns, to_text
from vestige.text.formats import join_blocks, read_blocks
from vestige.text.sentences import split_sentences
from vestige.text.words import count_words

DOCUMENT_NAMES = ("document_id", "doc_id", "document")
BLOCK = 4096

Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class Corpus:
    """One row per text. Rows of one document share an id in `documents`, and no split separates them.

    `text_column` and `document_column` name the columns that texts and documents were read from. Without a document
    column, every row is a document.
    """

    name: str
    texts: list[str]
    documents: list[str] = field(default_factory=list)
    attributes: dict[str, list[Any]] = field(default_factory=dict)
    text_column: str | None = None
    document_column: str | None = None

    def __post_init__(self) -> None:
        """Make every row a document if there are no documents, and check that all columns are equally long."""
        if not self.documents:
            object.__setattr__(self, "documents", [str(row) for row in range(len(self.texts))])
        for column, values in {"documents": self.documents, **self.attributes}.items():
            if len(values) != len(self.texts):
                raise InputError(
                    f"corpus '{self.name}' has {len(self.texts)} texts but {len(values)} values in '{column}'; "
                    "every column needs one value per text"
                )

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: Sequence[int]) -> "Corpus":
        """These rows, in this order."""
        return replace(
            self,
            texts=[self.texts[row] for row in rows],
            documents=[self.documents[row] for row in rows],
            attributes={name: [values[row] for row in rows] for name, values in self.attributes.items()},
        )

    def sentences(self, shortest: int = 1, longest: float = inf) -> "Corpus":
        """One row per sentence of `shortest` to `longest` words, each with the document and attributes of its text."""
        return self.cut_sentences(lambda sentence: shortest <= count_words(sentence) <= longest)

    def passages(self, words: int) -> "Corpus":
        """One row per run of consecutive sentences of a text with at least so many words; what remains is dropped."""
        rows, passages = [], []
        for row, text in enumerate(self.texts):
            passage: list[str] = []
            for sentence in split_sentences(text):
                passage.append(sentence)
                if sum(map(count_words, passage)) >= words:
                    rows.append(row)
                    passages.append(" ".join(passage))
                    passage = []
        return replace(self.take(rows), texts=passages)

    def cut_sentences(self, is_used: Callable[[str], bool]) -> "Corpus":
        """One row per sentence that is used, each with the document and attributes of its text."""
        rows, sentences = [], []
        for row, text in enumerate(self.texts):
            for sentence in filter(is_used, split_sentences(text)):
                rows.append(row)
                sentences.append(sentence)
        return replace(self.take(rows), texts=sentences)


def read_corpus(path: Path, text_column: str | None = None, document_column: str | None = None) -> Corpus:
    """Read a whole file into memory; without a text column, find it by its name or as the only column of strings."""
    whole = join_blocks(read_blocks(path, BLOCK))
    columns = whole.columns
    text_name = find_text_column(path, survey_columns([whole]), text_column)
    document_name = find_column(path, columns, document_column, "--document-column") or next(
        (name for name in DOCUMENT_NAMES if name in columns and name != text_name), None
    )
    texts = [to_text(value) for value in columns[text_name]]
    ids = columns[document_name] if document_name else []
    documents = [f"row {row}" if value is None else str(value) for row, value in enumerate(ids)]
    attributes = {name: values for name, values in columns.items() if name not in (text_name, document_name)}
    return Corpus(path.name, texts, documents, attributes, text_name, document_name)


def check_corpus_path(path: Path) -> None:
    """Raise, before any work, if the file exists or its name has an ending that `write_corpus` cannot write."""
    if path.suffix not in WRITERS:
        raise InputError(f"{path} ends in '{path.suffix}'; expected one of {', '.join(WRITERS)} for texts")
    if path.exists():
        raise InputError(f"{path} already exists; name a new file, or move this one away")


def write_corpus(corpus: Corpus, path: Path) -> None:
    """Write the columns that the corpus was read with: first the documents, if a column named them, then the texts.

    The file is written completely or not at all, and only its owner may read it. `read_corpus` returns the same texts
    and documents; CSV has no missing values and no numbers, jsonl no dates.
    """
    write_whole(path, serialize_corpus(corpus, path))


def serialize_corpus(corpus: Corpus, path: Path) -> bytes:
    """The content of the file that `write_corpus` writes to this path."""
    check_corpus_path(path)
    documents = {corpus.document_column: corpus.documents} if corpus.document_column else {}
    columns = {**documents, corpus.text_column or "text": corpus.texts, **corpus.attributes}
    return WRITERS[path.suffix](columns)


def _to_jsonl(columns: Columns) -> bytes:
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    lines = [json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows]
    return "".join(lines).encode("utf-8", "replace")


def _to_csv(columns: Columns) -> bytes:
    content = io.StringIO(newline="")
    writer = csv.writer(content, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return content.getvalue().encode("utf-8", "replace")


def _to_parquet(columns: Columns) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = io.BytesIO()
    pq.write_table(
        pa.table({name: _to_array(name, values) for name, values in columns.items()}), content, compression="zstd"
    )
    return content.getvalue()


def _to_array(name: str, values: list[Any]) -> Any:
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, ValueError) as error:
        raise InputError(
            f"column '{name}' does not fit into parquet ({error}); expected values of one type: write a .jsonl"
        ) from error


WRITERS: dict[str, Callable[[Columns], bytes]] = {".jsonl": _to_jsonl, ".csv": _to_csv, ".parquet": _to_parquet}
