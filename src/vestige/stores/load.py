"""From one argument to a store: a file by its ending, or KIND:WHERE#NAME."""

from pathlib import Path

from vestige.errors import InputError
from vestige.registry import Entry, Registry
from vestige.stores.addresses import without_user
from vestige.stores.records import Columns
from vestige.stores.store import Store
from vestige.stores.table import Table

FILES = {
    ".npy": Entry("vestige.stores.numpy_files:open_npy", "an array of numpy, mapped into memory"),
    ".parquet": Entry("vestige.stores.parquet:ParquetTable", "a column of lists"),
    ".npz": Entry("vestige.stores.numpy_files:open_npz", "arrays of numpy"),
    ".arrow": Entry("vestige.stores.arrow_file:ArrowTable", "a column of lists"),
    ".feather": Entry("vestige.stores.arrow_file:ArrowTable", "a column of lists"),
    ".jsonl": Entry("vestige.stores.lines:JsonlTable", "a list in every object; .jsonl.gz too"),
    ".csv": Entry("vestige.stores.lines:CsvTable", "a list in a cell, or numbered columns; .csv.gz too"),
    ".h5": Entry("vestige.stores.hdf5:open_hdf5", "a dataset of rows and columns", "h5py", "hdf5"),
    ".hdf5": Entry("vestige.stores.hdf5:open_hdf5", "a dataset of rows and columns", "h5py", "hdf5"),
}

STORES = Registry(
    "store",
    {
        "chroma": Entry(
            "vestige.stores.chroma:ChromaTable", "chroma:FOLDER#COLLECTION, embedded", needs="chromadb", extra="chroma"
        ),
        "faiss": Entry(
            "vestige.stores.faiss:FaissTable", "faiss:INDEX, flat, IVF, HNSW, PQ or SQ", needs="faiss", extra="faiss"
        ),
        "lancedb": Entry("vestige.stores.lancedb:LanceTable", "lancedb:FOLDER#TABLE", needs="lancedb", extra="lancedb"),
        "milvus": Entry(
            "vestige.stores.milvus:MilvusTable", "milvus:FILE#COLLECTION, of Milvus Lite", "milvus_lite", "milvus"
        ),
        "pgvector": Entry(
            "vestige.stores.pgvector:open_pgvector",
            "pgvector:postgresql://USER@HOST/DATABASE#TABLE.COLUMN, of vector, halfvec or bit",
            needs="psycopg",
            extra="pgvector",
        ),
        "qdrant": Entry(
            "vestige.stores.qdrant:open_qdrant",
            "qdrant:FOLDER_OR_URL#COLLECTION; the key of a server in QDRANT_API_KEY",
            needs="qdrant_client",
            extra="qdrant",
            strict=False,
        ),
        "sqlite-vec": Entry(
            "vestige.stores.sqlite_vec:SqliteVecTable",
            "sqlite-vec:FILE#TABLE, of vec0 or with blobs",
            needs="apsw",
            extra="sqlite-vec",
        ),
    },
)

SERVERS = ("pgvector", "qdrant")


def open_store(source: str | Path, columns: Columns | None = None) -> Store:
    """Open a store for reading: "vectors.npy", "faiss:index.faiss", "chroma:FOLDER#COLLECTION" and so on.

    Columns that are not named are found by their names and by what they hold; `describe` says which.
    """
    if is_file(source):
        return Store(open_file(Path(source)), columns)
    kind, _, rest = str(source).partition(":")
    where, _, name = rest.rpartition("#") if "#" in rest else (rest, "", "")
    if f".{kind}" in FILES:
        raise InputError(f"'{source}' begins with the kind of a file; a file is named by its path alone: '{rest}'")
    opened = STORES[kind].load()
    if "://" in where and kind not in SERVERS:
        raise InputError(
            f"'{kind}:{without_user(where)}' is the address of a server; {kind} is read where it is embedded, "
            f"as in {STORES[kind].summary}"
        )
    if not where:
        raise InputError(f"'{source}' names no place; expected one as in '{kind}:WHERE#NAME'")
    return Store(opened(where, name or None), columns)


def is_file(source: str | Path) -> bool:
    """Whether a source is the path of a file, and not KIND:WHERE."""
    return isinstance(source, Path) or ":" not in source or Path(source).exists()


def open_file(path: Path) -> Table:
    """The table of a file, by the ending of its name."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file of vectors, {' or '.join(FILES)}")
    ending = path.suffix.lower()
    if ending == ".gz" and Path(path.stem).suffix.lower() in (".jsonl", ".csv"):
        ending = Path(path.stem).suffix.lower()
    if ending not in FILES:
        raise InputError(f"{path} ends in '{path.suffix}'; expected vectors in one of {', '.join(FILES)}")
    if not path.is_file():
        raise InputError(f"{path} is not there or is not a file; check the path")
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty; expected at least one vector")
    table: Table = FILES[ending].load()(path)
    return table
