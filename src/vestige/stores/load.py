"""Open a source of vectors: a file by its extension, a store by its kind in KIND:WHERE#NAME."""

import inspect
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.registry import Entry, Registry
from vestige.stores.columns import Columns
from vestige.stores.dataset import DatasetTable
from vestige.stores.dataset_files import is_dataset
from vestige.stores.isolated import IsolatedTable
from vestige.stores.source_address import is_file, parse_address, strip_credentials
from vestige.stores.store import Store
from vestige.stores.table import SERVERS, VectorTable
from vestige.stores.vector_checks import check_embeddings
from vestige.types import Vectors


def _check_plugin(opener: Any) -> str | None:
    """What is wrong with the object that a plugin registers; None if nothing is."""
    if isinstance(opener, type):
        if not issubclass(opener, VectorTable):
            return f"{opener.__name__} is not a subclass of vestige.stores.table.VectorTable"
        if inspect.isabstract(opener):
            return f"{opener.__name__} does not implement {', '.join(sorted(opener.__abstractmethods__))}"
    if not callable(opener):
        return f"a {type(opener).__name__} cannot be called; expected a function (where, name) -> VectorTable"
    try:
        inspect.signature(opener).bind("where", "name")
    except TypeError as error:
        return f"it cannot be called as open(where, name): {error}"
    return None


FILES = {
    ".npy": Entry("vestige.stores.array_files:open_npy", "one numpy array, memory-mapped"),
    ".parquet": Entry("vestige.stores.arrow_files:ParquetTable", "a column of lists"),
    ".npz": Entry("vestige.stores.array_files:open_npz", "numpy arrays"),
    ".arrow": Entry("vestige.stores.arrow_files:ArrowTable", "a column of lists"),
    ".feather": Entry("vestige.stores.arrow_files:ArrowTable", "a column of lists"),
    ".jsonl": Entry("vestige.stores.line_files:JsonlTable", "a list in every object; also .jsonl.gz"),
    ".csv": Entry("vestige.stores.line_files:CsvTable", "a list in a cell, or numbered columns; also .csv.gz"),
    ".h5": Entry("vestige.stores.array_files:open_hdf5", "a two-dimensional dataset", "h5py", "hdf5"),
    ".hdf5": Entry("vestige.stores.array_files:open_hdf5", "a two-dimensional dataset", "h5py", "hdf5"),
}

STORES = Registry(
    "store",
    {
        "chroma": Entry(
            "vestige.stores.chroma:ChromaTable", "chroma:FOLDER#COLLECTION, embedded", needs="chromadb", extra="chroma"
        ),
        "faiss": Entry(
            "vestige.stores.faiss:FaissTable", "faiss:INDEX; flat, IVF, HNSW, PQ or SQ", needs="faiss", extra="faiss"
        ),
        "lancedb": Entry("vestige.stores.lancedb:LanceTable", "lancedb:FOLDER#TABLE", needs="lancedb", extra="lancedb"),
        "milvus": Entry(
            "vestige.stores.milvus:MilvusTable", "milvus:FILE#COLLECTION, Milvus Lite", "milvus_lite", "milvus"
        ),
        "pgvector": Entry(
            "vestige.stores.pgvector:open_pgvector",
            "pgvector:postgresql://USER@HOST/DATABASE#TABLE.COLUMN; vector, halfvec or bit",
            needs="psycopg",
            extra="pgvector",
        ),
        "qdrant": Entry(
            "vestige.stores.qdrant:open_qdrant",
            "qdrant:FOLDER_OR_URL#COLLECTION; a server's key goes into QDRANT_API_KEY",
            needs="qdrant_client",
            extra="qdrant",
            strict=False,
        ),
        "sqlite-vec": Entry(
            "vestige.stores.sqlite_vec:SqliteVecTable",
            "sqlite-vec:FILE#TABLE; a vec0 table, or one with vectors as blobs",
            needs="apsw",
            extra="sqlite-vec",
        ),
    },
    group="vestige.stores",
    check=_check_plugin,
)


ISOLATED = {".arrow", ".feather", ".h5", ".hdf5", "chroma", "faiss", "lancedb", "milvus", "qdrant", "sqlite-vec"}
"""Formats that native libraries parse, which a damaged file can crash or keep busy for ever: they are read in a process
of their own. Servers are not: they parse what they store themselves."""


def open_store(source: str | Path, columns: Columns | None = None, layout: Any = None) -> Store:
    """Open a source of vectors for reading: "vectors.npy", "faiss:index.faiss", "chroma:FOLDER#COLLECTION" and so on.

    A folder, a glob, or an address such as "s3://BUCKET/FOLDER" stands for the parquet files in it.

    Columns that `columns` does not name are found by their names and types; `Store.describe` lists the guesses. With
    the `layout` of the same store, which is open elsewhere, its metadata are not read again.
    """
    if is_dataset(source):
        return Store(DatasetTable(str(source), layout), columns)
    if is_file(source):
        return Store(open_file(Path(source)), columns)
    kind, where, name = parse_address(str(source))
    if f".{kind}" in FILES:
        raise InputError(f"'{source}' begins with a file type; name a file by its path alone: '{where}'")
    opener = STORES[kind].load()
    if "://" in where and not getattr(opener, SERVERS, False):
        raise InputError(
            f"'{kind}:{strip_credentials(where)}' is the address of a server; Vestige reads {kind} only where it is "
            f"embedded, as in {STORES[kind].summary}"
        )
    if not where:
        raise InputError(f"'{source}' names no path or address; expected '{kind}:WHERE#NAME'")
    if kind in ISOLATED and "://" not in where and STORES[kind].origin == "vestige":
        return Store(IsolatedTable(f"{kind}:{where}", STORES[kind].place, (where, name)), columns)
    return Store(_check_opened(opener(where, name), kind), columns)


def open_file(path: Path) -> VectorTable:
    """Open the table of a file, by the extension of its name."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file of vectors, {' or '.join(FILES)}")
    ending = path.suffix.lower()
    if ending == ".gz" and Path(path.stem).suffix.lower() in (".jsonl", ".csv"):
        ending = Path(path.stem).suffix.lower()
    if not path.exists():
        raise InputError(f"{path} does not exist; check the path")
    if ending not in FILES:
        raise InputError(f"{path} ends in '{path.suffix}'; expected vectors in one of {', '.join(FILES)}")
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file; check the path")
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty; expected at least one vector")
    opener = FILES[ending].load()
    if ending in ISOLATED:
        return IsolatedTable(str(path), FILES[ending].place, (str(path),))
    table: VectorTable = opener(path)
    return table


def read_vectors(path: Path) -> Vectors:
    """Read all vectors of a file as a checked matrix, one row per vector. Nothing is unpickled."""
    with Store(open_file(path)) as store:
        vectors = store.vectors()
    check_embeddings(vectors, str(path))
    return vectors


def _check_opened(table: Any, kind: str) -> VectorTable:
    """Raise unless the opener of a store, which may be a plugin's, returned a complete table."""
    if not isinstance(table, VectorTable):
        raise InputError(
            f"store '{kind}' of package {STORES[kind].origin} opened a {type(table).__name__}; expected a VectorTable"
        )
    missing = [name for name in ("place", "rows", "schema") if not hasattr(table, name)]
    if missing:
        table.close()
        raise InputError(
            f"store '{kind}' of package {STORES[kind].origin} opened a table without {', '.join(missing)}; "
            "its constructor must set them"
        )
    return table
