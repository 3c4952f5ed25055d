"""A corpus from a file: txt, jsonl, csv or parquet, gzipped or not."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.corpus import Corpus

TEXT_NAMES = ("text", "sentence", "content", "body", "document", "review", "message", "narrative", "chunk")
DOCUMENT_NAMES = ("document_id", "doc_id", "document")
EXTENSIONS = (".txt", ".jsonl", ".csv", ".parquet")

Columns = dict[str, list[Any]]


def read_corpus(path: Path, text_column: str | None = None, document_column: str | None = None) -> Corpus:
    """Read a corpus; the text column is found by its name, or is the only column of strings."""
    columns = _read_columns(path)
    text_name = _named(path, columns, text_column, "--text-column") or _guess_text(path, columns)
    document_name = _named(path, columns, document_column, "--document-column") or next(
        (name for name in DOCUMENT_NAMES if name in columns and name != text_name), None
    )
    texts = ["" if text is None else str(text) for text in columns[text_name]]
    if not any(texts):
        raise InputError(f"{path} holds no text in column '{text_name}'; expected at least one")
    named = columns[document_name] if document_name else []
    documents = [f"row {row}" if value is None else str(value) for row, value in enumerate(named)]
    attributes = {name: values for name, values in columns.items() if name not in (text_name, document_name)}
    return Corpus(path.name, texts, documents, attributes, text_name, document_name)


def _read_columns(path: Path) -> Columns:
    suffix = next((part for part in reversed(path.suffixes) if part != ".gz"), "")
    if suffix not in EXTENSIONS:
        raise InputError(
            f"{path} ends in '{suffix or path.suffix}'; expected one of {', '.join(EXTENSIONS)}, each also with .gz"
        )
    content = _read_bytes(path)
    if suffix == ".parquet":
        return _parquet(path, content)
    return {".txt": _lines, ".jsonl": _json_lines, ".csv": _csv}[suffix](path, _decoded(path, content))


def _read_bytes(path: Path) -> bytes:
    if not path.is_file():
        raise InputError(f"{path} is not there or is not a file; check the path")
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read ({error}); expected a readable file") from error
    if not content.strip():
        raise InputError(f"{path} is empty; expected at least one text")
    return content


def _decoded(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path} line {line} is not UTF-8 (byte 0x{content[error.start]:02x}); save the file as UTF-8"
        ) from error


def _lines(_path: Path, content: str) -> Columns:
    return {"text": [line.strip() for line in content.split("\n") if line.strip()]}


def _json_lines(path: Path, content: str) -> Columns:
    rows = []
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            rows.append(_json_object(path, number, line))
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _json_object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path} line {number} is not JSON ({error}); expected one JSON object a line") from error
    if not isinstance(row, dict):
        raise InputError(f"{path} line {number} holds a {type(row).__name__}; expected one JSON object a line")
    return row


def _csv(path: Path, content: str) -> Columns:
    import csv
    import io

    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    header = content.split("\n", 1)[0]
    if "," not in header and (other := next((mark for mark in ";\t|" if mark in header), None)):
        raise InputError(f"{path} looks separated by {other!r}; expected commas, save it as comma-separated values")
    try:
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise InputError(
            f"{path} line {reader.line_num} is not CSV ({error}); expected comma-separated values"
        ) from error
    if len(rows) < 2:
        raise InputError(f"{path} has {len(rows)} lines; expected a header and at least one row")
    names = rows[0][1]
    if len(set(names)) < len(names):
        raise InputError(f"{path} names a column twice in its header ({', '.join(names)}); give each a name of its own")
    for line, row in rows[1:]:
        if len(row) != len(names):
            raise InputError(f"{path} line {line} has {len(row)} values, the header has {len(names)}; mend the line")
    return {name: [row[place] for _, row in rows[1:]] for place, name in enumerate(names)}


def _parquet(path: Path, content: bytes) -> Columns:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(pa.BufferReader(content))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path} is not a parquet file ({error}); expected parquet") from error
    columns: Columns = {
        name: table[name].to_pylist()
        for name in table.column_names
        if not pa.types.is_nested(table.schema.field(name).type)
    }
    return columns


def _named(path: Path, columns: Columns, name: str | None, option: str) -> str | None:
    if name is None or name in columns:
        return name
    raise InputError(f"{path} has no column '{name}' ({option}); {nearest(name, columns)}")


def _guess_text(path: Path, columns: Columns) -> str:
    strings = [name for name, values in columns.items() if any(isinstance(value, str) for value in values)]
    by_name = next((name for name in TEXT_NAMES if name in strings), None)
    if by_name or len(strings) == 1:
        return by_name or strings[0]
    found = f"columns of strings: {', '.join(strings)}" if strings else "no column of strings"
    raise InputError(f"{path} has {found}, none of them named 'text'; name the one to audit with --text-column")
