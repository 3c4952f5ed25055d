"""The form of the stored numbers: what their type declares, and what their values show."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check
from vestige.types import Vectors

NumberForm = Literal["float32", "float16", "int8", "binary", "coded"]
"""The precision of stored numbers; "coded" is a lossy code, such as product quantization."""

ENOUGH = 1000
"""The number of rows that show the form."""

FORM_DESCRIPTIONS: dict[NumberForm, str] = {
    "float32": "in full precision",
    "float16": "in half precision",
    "int8": "as integers of one byte",
    "binary": "as one bit each",
    "coded": "in a lossy code",
}
_FLOATS = ("float32", "float64", "bfloat16", "halffloat", "float16")


def check_form(sample: VectorSample) -> Iterator[Check]:
    """Rows, dimension and form; a note if the values are coarser than float32."""
    yield describe_form(sample, detect_form(sample), len(sample.vectors))


def describe_form(sample: VectorSample, form: NumberForm, checked: int) -> Check:
    """The check of the form; `checked` rows were checked."""
    sentence = (
        f"{'' if sample.exact else 'About '}{sample.rows:,} vectors of {sample.dimension:,} dimensions, stored as "
        f"{sample.form}; {'all' if checked == sample.rows else f'{checked:,}'} of them were checked."
    )
    evidence = {"rows": sample.rows, "sampled": checked, "dimension": sample.dimension}
    if form == "float32":
        return Check("form", "ok", sentence, evidence)
    consequence = "An attack works on these coarser numbers, and an encoder will not give the same digits."
    return Check(
        "form", "note", f"{sentence} The numbers are stored {FORM_DESCRIPTIONS[form]}. {consequence}", evidence
    )


def is_coded(declared: str) -> bool:
    """Whether a store declares a lossy code."""
    return declared not in (*_FLOATS, "int8", "uint8", "binary") and not declared.startswith(("int", "uint"))


def detect_form(sample: VectorSample) -> NumberForm:
    """The precision of the numbers, by their values; for codes, by the form that the store declares."""
    rows = sample.vectors[sample.valid[:ENOUGH]]
    if len(rows) and len(np.unique(rows[: ENOUGH // 10])) == 2:
        return "binary"
    if is_coded(sample.form):
        return "coded"
    if (rows == np.rint(rows)).all() and np.abs(rows).max(initial=0) < 256:
        return "int8" if len(rows) else "float32"
    return "float16" if _is_half(rows) else "float32"


def _is_half(rows: Vectors) -> bool:
    """Whether float16 or bfloat16 represents every number exactly."""
    with np.errstate(over="ignore"):
        half = (rows.astype(np.float16).astype(np.float32) == rows).all()
    return bool(half or not (np.ascontiguousarray(rows, np.float32).view(np.uint32) & 0xFFFF).any())
