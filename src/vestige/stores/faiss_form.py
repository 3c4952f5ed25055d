"""How a FAISS index stores its vectors, in the words of its factory."""

from typing import Any


def form_of_index(index: Any) -> str:
    """ "float32", "float16", "SQ8", "PQ16x8" or the name of another code, and the transform before it."""
    import faiss

    if isinstance(index, faiss.IndexPreTransform):
        return f"{form_of_index(faiss.downcast_index(index.index))} after {_changes(index.chain)}"
    if isinstance(index, faiss.IndexRefine):
        return form_of_index(faiss.downcast_index(index.refine_index))
    if isinstance(index, faiss.IndexHNSW):
        return form_of_index(faiss.downcast_index(index.storage))
    if hasattr(index, "pq"):
        return f"PQ{index.pq.M}x{index.pq.nbits}"
    if hasattr(index, "sq"):
        return _scalar(index.sq.qtype)
    name = type(index).__name__.removeprefix("Index").removeprefix("IVF")
    return "float32" if name.startswith("Flat") else name


def _changes(chain: Any) -> str:
    import faiss

    return ", ".join(type(faiss.downcast_VectorTransform(chain.at(place))).__name__ for place in range(chain.size()))


def _scalar(kind: int) -> str:
    import faiss

    quantizer = faiss.ScalarQuantizer
    plain = {quantizer.QT_fp16: "float16", quantizer.QT_bf16: "bfloat16", quantizer.QT_8bit_direct: "uint8"}
    names = {getattr(quantizer, name): name for name in dir(quantizer) if name.startswith("QT_") and "bit" in name}
    return plain.get(kind) or "SQ" + names[kind].removeprefix("QT_").replace("bit", "", 1)
