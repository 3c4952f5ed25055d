"""A corpus to a file, whole or not at all: jsonl, csv or parquet, by the ending of its name."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.files import write_whole
from vestige.text.corpus import Corpus

Columns = dict[str, list[Any]]


def check_corpus_path(path: Path) -> None:
    """Refuse, before any work, a file that is there already or has an ending that nothing here writes."""
    if path.suffix not in WRITERS:
        raise InputError(f"{path} ends in '{path.suffix}'; expected texts to go to one of {', '.join(WRITERS)}")
    if path.exists():
        raise InputError(f"{path} is there already; name a file that is not, or move it away")


def write_corpus(corpus: Corpus, path: Path) -> None:
    """Write the columns that the corpus was read with, the document first where a column names it, then the text.

    `read_corpus` gives the same texts and documents again; CSV knows no missing value and no number, jsonl no date.
    Only the owner may read the file.
    """
    check_corpus_path(path)
    documents = {corpus.document_column: corpus.documents} if corpus.document_column else {}
    columns = {**documents, corpus.text_column or "text": corpus.texts, **corpus.attributes}
    write_whole(path, WRITERS[path.suffix](columns))


def _jsonl(columns: Columns) -> bytes:
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    lines = [json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows]
    return "".join(lines).encode("utf-8", "replace")


def _csv(columns: Columns) -> bytes:
    content = io.StringIO(newline="")
    writer = csv.writer(content, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return content.getvalue().encode("utf-8", "replace")


def _parquet(columns: Columns) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = io.BytesIO()
    pq.write_table(
        pa.table({name: _array(name, values) for name, values in columns.items()}), content, compression="zstd"
    )
    return content.getvalue()


def _array(name: str, values: list[Any]) -> Any:
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, ValueError) as error:
        raise InputError(
            f"column '{name}' does not fit into parquet ({error}); expected values of one kind: write a .jsonl"
        ) from error


WRITERS: dict[str, Callable[[Columns], bytes]] = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}
