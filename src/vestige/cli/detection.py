"""What there is to audit in a folder: stores and files of vectors, and files of texts."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vestige.errors import InputError, VestigeError
from vestige.types import Progress

JUDGED = 200
"""Rows that show whether a column of strings holds texts."""

IDENTIFIED = 2000
"""Vectors that are enough to identify their encoder."""

LIST_COLLECTIONS = "SELECT name FROM collections WHERE typeof(name) = 'text' AND length(name) < 1000 LIMIT 1000"
LISTING_S = 5.0

DOCUMENT = re.compile(
    r"(doc|document|thread|conversation|dialogue|ticket|case|session|chapter)(_?id)?"
    r"|(letter|e?mail|message|note|report|article|review|complaint|post|page|file)_?id",
    re.IGNORECASE,
)
"""Names of columns that group rows into documents."""

MOST_TEXTS = 200_000
"""A file with more texts is not read to learn the names of its columns."""

FEWEST_TEXTS = 130
"""Fewer texts than an audit needs, 30 targets and 100 pairs, are not worth proposing."""


@dataclass(frozen=True, slots=True)
class FoundVectors:
    """A source of vectors. `rows` is None for a store, which is not opened; `has_texts` is None then.

    `documents` is the column that groups the rows into documents, by its name.
    """

    source: str
    name: str
    rows: int | None = None
    has_texts: bool | None = None
    documents: str | None = None


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """A file of texts; `column` has them, if the name of no column says which it is."""

    path: str
    rows: int
    column: str | None = None


def find_vectors(folder: Path) -> list[FoundVectors]:
    """The stores and files of vectors in a folder, by name. Nothing is changed, and no store is opened."""
    visible = [path for path in sorted(folder.iterdir()) if not path.name.startswith(".")]
    return [found for path in visible for found in (_find_stores(path) if path.is_dir() else _find_file(path))]


def find_texts(folder: Path) -> list[FoundTexts]:
    """The files of texts in a folder that have enough of them for an audit."""
    found = []
    for path in _list_text_files(folder):
        with suppress(VestigeError, OSError):
            found.append(_read_texts(path))
    return found


def explain_texts(folder: Path) -> list[str]:
    """Why `find_texts` passes over files that look like texts."""
    reasons = []
    for path in _list_text_files(folder):
        try:
            _read_texts(path)
        except (VestigeError, OSError) as error:
            reasons.append(str(error))
    return reasons


def choose_text_column(path: str | Path) -> str | None:
    """The column with the texts, if the name of none says so: the one with the longest prose. None if a name does."""
    from vestige.text.columns import is_prose
    from vestige.text.corpora import stream_texts
    from vestige.text.formats import read_blocks

    with suppress(InputError):
        stream_texts(Path(path))
        return None
    first = next(iter(read_blocks(Path(path), JUDGED)), None)
    columns = {} if first is None else first.columns
    lengths = {name: sum(len(str(value)) for value in values) for name, values in columns.items() if is_prose(values)}
    return max(lengths, key=lambda name: lengths[name], default=None)


def _list_text_files(folder: Path) -> list[Path]:
    named = (path for path in sorted(folder.iterdir()) if not path.name.startswith("."))
    return [path for path in named if re.search(r"\.(txt|jsonl|csv|parquet)(\.gz)?$", path.name)]


def _read_texts(path: Path) -> FoundTexts:
    """The texts of a file. Raises if they cannot be read, or are too few."""
    from vestige.text.corpora import stream_texts

    column = choose_text_column(path)
    rows = stream_texts(path, column).total
    if rows < FEWEST_TEXTS:
        raise InputError(f"{path} has {rows} texts; an audit needs at least {FEWEST_TEXTS}")
    return FoundTexts(path.name, rows, column)


def _find_file(path: Path) -> Iterator[FoundVectors]:
    from vestige.stores.load import FILES

    if path.suffix in (".faiss", ".index"):
        yield FoundVectors(f"faiss:{path.name}", path.stem)
    if any(ending in FILES for ending in path.suffixes[-2:]):
        yield from _read_vectors(path)


def _read_vectors(path: Path) -> Iterator[FoundVectors]:
    """The vectors of a file, or of a folder of parquet files; nothing if they cannot be read."""
    from vestige.case.vector_sample import VectorSample
    from vestige.stores.load import open_store

    try:
        with open_store(path) as store:
            description, sample = store.describe(), VectorSample.from_store(store, JUDGED, 0)
    except (VestigeError, OSError):
        return
    columns, has_texts = description.columns, sample.texts is not None
    others = (*(columns.attributes or ()), *([columns.texts] if columns.texts and not has_texts else []))
    yield FoundVectors(path.name, path.name.partition(".")[0], description.rows, has_texts, find_documents(others))


def find_source_documents(source: str) -> str | None:
    """The column of a file that groups rows into documents; None for a store, which is not opened."""
    found = next(_find_file(Path(source)), None)
    return None if found is None else found.documents


def find_text_documents(texts: str, column: str | None = None) -> str | None:
    """The column of a file of texts that groups them into documents; None if the file is large or cannot be read."""
    from vestige.text.corpora import load_corpus, stream_texts

    with suppress(VestigeError, OSError):
        if stream_texts(texts, column).total <= MOST_TEXTS:
            return find_documents([*load_corpus(texts, column).attributes])
    return None


def find_documents(columns: Sequence[str]) -> str | None:
    """The column whose name says that it groups rows into documents; None without one."""
    return next((name for name in columns if DOCUMENT.fullmatch(name)), None)


def identify_source(source: str, texts: str | None, column: str | None, progress: Progress) -> str | None:
    """The installed encoder that made stored vectors: it gives them again, or their statistics match; None if unclear.

    A source that cannot be read is reported by the audit.
    """
    from vestige.case.vector_sample import VectorSample
    from vestige.encoders.load import list_public_encoders
    from vestige.preflight.encoder_identification import guess_encoder
    from vestige.stores.load import open_store
    from vestige.text.corpora import load_corpus

    with suppress(VestigeError, OSError), open_store(source) as store:
        corpus = None if texts is None else load_corpus(texts, column)
        sample = VectorSample.from_store(store, IDENTIFIED, 0, corpus)
        return guess_encoder(sample, list_public_encoders(), progress=progress)
    return None


def _find_stores(folder: Path) -> Iterator[FoundVectors]:
    if any(folder.glob("*.parquet")):
        yield from _read_vectors(folder)
    for kind, list_collections in COLLECTIONS.items():
        try:
            collections = list_collections(folder)
        except (OSError, sqlite3.Error, VestigeError):
            continue
        for name in collections:
            yield FoundVectors(f"{kind}:{folder.name}#{name}", name)


def _list_chroma(folder: Path) -> list[str]:
    database = folder / "chroma.sqlite3"
    if not database.is_file():
        return []
    from vestige.stores.copy_on_read import check_table, open_sqlite, query_sqlite

    with open_sqlite(database) as connection:
        check_table(connection, "collections", str(folder))
        rows = query_sqlite(connection, LIST_COLLECTIONS, seconds=LISTING_S)
    return sorted(str(name) for (name,) in rows)


def _list_lancedb(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.lance") if path.is_dir())


def _list_qdrant(folder: Path) -> list[str]:
    collections = folder / "collection"
    if not (folder / "meta.json").is_file() or not collections.is_dir():
        return []
    return sorted(path.name for path in collections.iterdir() if path.is_dir())


COLLECTIONS: dict[str, Callable[[Path], list[str]]] = {
    "chroma": _list_chroma,
    "lancedb": _list_lancedb,
    "qdrant": _list_qdrant,
}
"""The collections in a folder of each kind of store; none if the folder is not of that kind."""
