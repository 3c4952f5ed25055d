"""Vectors in a FAISS index, as the index reconstructs them: exactly, or as closely as its code allows."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_columns import as_column
from vestige.stores.table import Positions, VectorTable


class FaissTable(VectorTable):
    """An index, memory-mapped, with the columns "id" and "vector". FAISS stores no texts.

    Vectors behind a transform such as OPQ or PCA are mapped back to the space in which they were added.
    """

    bytes_read = None
    row_numbers = "id"

    def __init__(self, where: str, name: str | None) -> None:
        import faiss
        import pyarrow as pa

        self.place = f"faiss:{where}"
        index = _open_index(Path(where), self.place)
        if name is not None:
            raise InputError(f"{self.place} is one index and has no '{name}' in it; remove what follows the #")
        self._root, self._ids = index, None  # FAISS frees an inner index together with the outer one.
        if isinstance(index, faiss.IndexIDMap):
            self._ids, index = faiss.vector_to_array(index.id_map), faiss.downcast_index(index.index)
        self._index, self._inner = index, index
        if isinstance(index, faiss.IndexPreTransform):
            self._inner = faiss.downcast_index(index.index)
        if isinstance(self._inner, faiss.IndexIVFFastScan):
            raise InputError(
                f"{self.place} packs the codes of its lists for fast scans and cannot reconstruct single vectors; "
                "expected an index such as IVF,PQ or IVF,SQ, write it as one of these"
            )
        self._in_lists = isinstance(self._inner, faiss.IndexIVF)
        if self._in_lists:
            lists = self._inner.invlists
            self._starts = np.cumsum([0, *(lists.list_size(number) for number in range(lists.nlist))])
        self.rows = index.ntotal
        self.schema = pa.schema([("id", pa.int64()), ("vector", pa.list_(pa.float32(), index.d))])

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Reconstruct the rows one by one."""
        import pyarrow as pa

        make = {
            "id": lambda: pa.array(self._list_ids(positions)),
            "vector": lambda: as_column(self._reconstruct(positions)),
        }
        return pa.table({name: make[name]() for name in names})

    def form(self, name: str) -> str:  # noqa: ARG002
        """The code of the index, as in "PQ16x8"; "float32" where it is exact."""
        return _describe_code(self._index)

    def _reconstruct(self, positions: Positions) -> Any:
        import faiss

        if not self._in_lists:
            return self._index.reconstruct_batch(positions)
        rows = np.empty((len(positions), self._inner.d), dtype=np.float32)
        for row, (number, offset) in zip(rows, self._locate(positions), strict=True):
            self._inner.reconstruct_from_offset(number, offset, faiss.swig_ptr(row))
        if self._inner is self._index:
            return rows
        original = np.empty((len(positions), self._index.d), dtype=np.float32)
        self._index.reverse_chain(len(rows), faiss.swig_ptr(rows), faiss.swig_ptr(original))
        return original

    def _list_ids(self, positions: Positions) -> Any:
        ids = positions
        if self._in_lists:
            get = self._inner.invlists.get_single_id
            ids = np.array([get(number, offset) for number, offset in self._locate(positions)], dtype=np.int64)
        return ids if self._ids is None else self._ids[ids]

    def _locate(self, positions: Positions) -> list[tuple[int, int]]:
        """Find the inverted list of each row and the offset in it, without building a map from ids."""
        lists = np.searchsorted(self._starts, positions, side="right") - 1
        return list(zip(lists.tolist(), (positions - self._starts[lists]).tolist(), strict=True))


def _open_index(path: Path, place: str) -> Any:
    import faiss

    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file; check the path")
    try:
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        raise InputError(f"{place} is not a complete index of floats ({_shorten(error)}); write it again") from error


def _shorten(error: RuntimeError) -> str:
    """The message of a FAISS error, without the C++ signature in front of it."""
    message = re.sub(r"^Error in .*? at \S+:\d+: ", "", str(error), flags=re.DOTALL)
    return message.rpartition("Error: ")[2].strip().splitlines()[0][:120]


def _describe_code(index: Any) -> str:
    """Name the code of an index in the terms of FAISS's factory, and the transform before it.

    For example "float32", "float16", "SQ8", "PQ16x8" or "float32 after PCAMatrix".
    """
    import faiss

    if isinstance(index, faiss.IndexPreTransform):
        return f"{_describe_code(faiss.downcast_index(index.index))} after {_describe_transforms(index.chain)}"
    if isinstance(index, faiss.IndexRefine):
        return _describe_code(faiss.downcast_index(index.refine_index))
    if isinstance(index, faiss.IndexHNSW):
        return _describe_code(faiss.downcast_index(index.storage))
    if hasattr(index, "pq"):
        return f"PQ{index.pq.M}x{index.pq.nbits}"
    if hasattr(index, "sq"):
        return _describe_quantizer(index.sq.qtype)
    name = type(index).__name__.removeprefix("Index").removeprefix("IVF")
    return "float32" if name.startswith("Flat") else name


def _describe_transforms(chain: Any) -> str:
    import faiss

    return ", ".join(type(faiss.downcast_VectorTransform(chain.at(step))).__name__ for step in range(chain.size()))


def _describe_quantizer(kind: int) -> str:
    import faiss

    quantizer = faiss.ScalarQuantizer
    plain = {quantizer.QT_fp16: "float16", quantizer.QT_bf16: "bfloat16", quantizer.QT_8bit_direct: "uint8"}
    names = {getattr(quantizer, name): name for name in dir(quantizer) if name.startswith("QT_") and "bit" in name}
    return plain.get(kind) or "SQ" + names[kind].removeprefix("QT_").replace("bit", "", 1)
