"""Vectors in a FAISS index, as the index itself would give them back: exactly, or as near as its code is."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_vectors import as_column
from vestige.stores.faiss_form import form_of_index
from vestige.stores.table import Places, Table


class FaissTable(Table):
    """An index, mapped into memory. Its ids are a column; texts it has none.

    Behind a transform such as OPQ or PCA, vectors come back in the space they were added in.
    """

    bytes_read = None
    numbered = "id"

    def __init__(self, where: str, name: str | None) -> None:
        import faiss
        import pyarrow as pa

        self.place = f"faiss:{where}"
        index = _opened(Path(where), self.place)
        if name is not None:
            raise InputError(f"{self.place} is one index and has no '{name}' in it; leave out what follows the #")
        self._root, self._ids = index, None  # faiss frees what lies within an index along with it
        if isinstance(index, faiss.IndexIDMap):
            self._ids, index = faiss.vector_to_array(index.id_map), faiss.downcast_index(index.index)
        self._index, self._inner = index, index
        if isinstance(index, faiss.IndexPreTransform):
            self._inner = faiss.downcast_index(index.index)
        if isinstance(self._inner, faiss.IndexIVFFastScan):
            raise InputError(
                f"{self.place} packs the codes of its lists for fast scans, and gives single vectors back no more; "
                "expected an index such as IVF,PQ or IVF,SQ, write it as such"
            )
        self._in_lists = isinstance(self._inner, faiss.IndexIVF)
        if self._in_lists:
            lists = self._inner.invlists
            self._starts = np.cumsum([0, *(lists.list_size(each) for each in range(lists.nlist))])
        self.rows = index.ntotal
        self.schema = pa.schema([("id", pa.int64()), ("vector", pa.list_(pa.float32(), index.d))])

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows, decoded one by one."""
        import pyarrow as pa

        make = {"id": lambda: pa.array(self._ids_at(places)), "vector": lambda: as_column(self._vectors_at(places))}
        return pa.table({name: make[name]() for name in names})

    def form(self, name: str) -> str:  # noqa: ARG002
        """The code of the index, as in "PQ16x8"; "float32" where nothing was lost."""
        return form_of_index(self._index)

    def _vectors_at(self, places: Places) -> Any:
        import faiss

        if not self._in_lists:
            return self._index.reconstruct_batch(places)
        rows = np.empty((len(places), self._inner.d), dtype=np.float32)
        for row, (number, offset) in zip(rows, self._homes(places), strict=True):
            self._inner.reconstruct_from_offset(number, offset, faiss.swig_ptr(row))
        if self._inner is self._index:
            return rows
        back = np.empty((len(places), self._index.d), dtype=np.float32)
        self._index.reverse_chain(len(rows), faiss.swig_ptr(rows), faiss.swig_ptr(back))
        return back

    def _ids_at(self, places: Places) -> Any:
        own = places
        if self._in_lists:
            one = self._inner.invlists.get_single_id
            own = np.array([one(number, offset) for number, offset in self._homes(places)], dtype=np.int64)
        return own if self._ids is None else self._ids[own]

    def _homes(self, places: Places) -> list[tuple[int, int]]:
        """In which inverted list each row lies, and where in it; no map from ids to places is built."""
        lists = np.searchsorted(self._starts, places, side="right") - 1
        return list(zip(lists.tolist(), (places - self._starts[lists]).tolist(), strict=True))


def _opened(path: Path, place: str) -> Any:
    import faiss

    if not path.is_file():
        raise InputError(f"{path} is not there or is not a file; check the path")
    try:
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        raise InputError(f"{place} is not a whole index of floats ({_short(error)}); write it again") from error


def _short(error: RuntimeError) -> str:
    """What FAISS says is wrong, without the signature of the function that says it."""
    said = re.sub(r"^Error in .*? at \S+:\d+: ", "", str(error), flags=re.DOTALL)
    return said.rpartition("Error: ")[2].strip().splitlines()[0][:120]
