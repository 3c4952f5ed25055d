"""How the numbers are kept: as their type says, and as their values say."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.result import Check
from vestige.types import Vectors

Kept = Literal["float32", "float16", "int8", "binary", "coded"]

ENOUGH = 1000
SAID: dict[Kept, str] = {
    "float32": "in full",
    "float16": "in half precision",
    "int8": "as whole numbers of one byte",
    "binary": "as one bit each",
    "coded": "by a code that only comes near them",
}
_WHOLE = ("float32", "float64", "bfloat16", "halffloat", "float16")


def check_form(specimen: Specimen) -> Iterator[Check]:
    """Rows, dimension and form; a note where values are coarser than their type."""
    kept, looked = kept_as(specimen), len(specimen.vectors)
    about = "" if specimen.exact else "about "
    sentence = (
        f"{about}{specimen.rows:,} vectors of {specimen.dimension:,} dimensions, stored as {specimen.form}; "
        f"{'all' if looked == specimen.rows else f'{looked:,}'} of them were looked at."
    )
    evidence = {"rows": specimen.rows, "sampled": looked, "dimension": specimen.dimension}
    if kept == "float32":
        yield Check("form", "ok", sentence[0].upper() + sentence[1:], evidence)
        return
    yield Check(
        "form",
        "note",
        f"{sentence[0].upper()}{sentence[1:]} Their numbers are kept {SAID[kept]}: what is read out of them is read in "
        "spite of that, and an encoder will not give the same digits.",
        evidence,
    )


def kept_as(specimen: Specimen) -> Kept:
    """How much of each number is left, told by the values; of codes, by what the store says of itself."""
    rows = specimen.vectors[specimen.sound[:ENOUGH]]
    if len(rows) and len(np.unique(rows[: ENOUGH // 10])) == 2:
        return "binary"
    if specimen.form not in (*_WHOLE, "int8", "uint8", "binary") and not specimen.form.startswith(("int", "uint")):
        return "coded"
    if (rows == np.rint(rows)).all() and np.abs(rows).max(initial=0) < 256:
        return "int8" if len(rows) else "float32"
    return "float16" if _is_half(rows) else "float32"


def _is_half(rows: Vectors) -> bool:
    """Whether 16 bits, in the way of float16 or of bfloat16, hold every number."""
    with np.errstate(over="ignore"):
        half = (rows.astype(np.float16).astype(np.float32) == rows).all()
    return bool(half or not (np.ascontiguousarray(rows, np.float32).view(np.uint32) & 0xFFFF).any())
