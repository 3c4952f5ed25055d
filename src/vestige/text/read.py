"""A corpus from a file, whole in memory: txt, jsonl, csv or parquet, gzipped or not."""

from pathlib import Path

from vestige.text.block import join
from vestige.text.corpus import Corpus
from vestige.text.formats import read_blocks
from vestige.text.survey import as_text, find_column, find_text, survey

DOCUMENT_NAMES = ("document_id", "doc_id", "document")
BLOCK = 4096


def read_corpus(path: Path, text_column: str | None = None, document_column: str | None = None) -> Corpus:
    """Read a corpus; the text column is found by its name, or is the only column of strings."""
    whole = join(read_blocks(path, BLOCK))
    columns = whole.columns
    text_name = find_text(path, survey([whole]), text_column)
    document_name = find_column(path, columns, document_column, "--document-column") or next(
        (name for name in DOCUMENT_NAMES if name in columns and name != text_name), None
    )
    texts = [as_text(value) for value in columns[text_name]]
    named = columns[document_name] if document_name else []
    documents = [f"row {row}" if value is None else str(value) for row, value in enumerate(named)]
    attributes = {name: values for name, values in columns.items() if name not in (text_name, document_name)}
    return Corpus(path.name, texts, documents, attributes, text_name, document_name)
