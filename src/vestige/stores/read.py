"""All vectors of a file at once."""

from pathlib import Path

from vestige.stores.checks import check_embeddings, checked
from vestige.stores.load import open_file
from vestige.stores.store import Store
from vestige.types import Vectors

__all__ = ["checked", "read_vectors"]


def read_vectors(path: Path) -> Vectors:
    """A checked matrix, one row a vector. Nothing is unpickled."""
    with Store(open_file(path)) as store:
        vectors = store.vectors()
    check_embeddings(vectors, str(path))
    return vectors
