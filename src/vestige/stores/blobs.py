"""What numbers a blob holds: as its column declares, or as the bits of some blobs tell."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from vestige.errors import InputError

FORMS = {
    "float": "float32",
    "f32": "float32",
    "int8": "int8",
    "i8": "int8",
    "bit": "binary",
    "f32_blob": "float32",
    "float32": "float32",
    "f64_blob": "float64",
    "float64": "float64",
}
DECLARED = re.compile(rf"[\s(,]\"?(\w+)\"?\s+({'|'.join(FORMS)})\s*[\[(]\s*\d+\s*[\])]", re.IGNORECASE)

SMALLEST, LARGEST = 1e-9, 1e6
FEW, MANY = 0.05, 0.2


def declared_forms(sql: str) -> dict[str, str]:
    """The columns of a table whose type says what a vector is made of, such as `float[384]` or `F64_BLOB(384)`."""
    return {column: FORMS[form.lower()] for column, form in DECLARED.findall(sql)}


def told_form(blobs: Sequence[bytes], place: str) -> str:
    """float32 or float64, where nobody declared it.

    Read as float32, a double is two numbers: its upper half looks like one, its lower half is noise or nothing. Of
    vectors in single precision, even and odd places are alike.
    """
    whole = [blob for blob in blobs if blob and len(blob) % 8 == 0]
    if not whole or len(whole) < len(blobs):
        return "float32"
    halves = np.frombuffer(b"".join(whole), "<f4")
    lower, upper = halves[0::2], halves[1::2]
    if _wild(upper) > FEW:
        return "float32"
    if _wild(lower) > MANY or (upper.any() and not lower.any()):
        return "float64"
    if _wild(lower) > FEW:
        raise InputError(
            f"{place} holds blobs that may be float32 or float64; expected a column that says so, such as "
            "float[384] or F64_BLOB(384); export the vectors to .npy or .parquet"
        )
    return "float32"


def numbers_of(blob: bytes, form: str, place: str) -> Any:
    """A blob as the numbers of its form."""
    if form == "binary":
        return np.unpackbits(np.frombuffer(blob, np.uint8), bitorder="little")
    if len(blob) % np.dtype(form).itemsize:
        raise InputError(f"{place} has a blob of {len(blob)} bytes; expected {form} numbers")
    return np.frombuffer(blob, form)


def _wild(numbers: Any) -> float:
    """The share of numbers that no encoder gives; zeros, which sparse vectors are full of, are none of them."""
    with np.errstate(invalid="ignore"):
        size = np.abs(numbers.astype(np.float64))
        return float(np.mean(~np.isfinite(size) | ((size > 0) & (size < SMALLEST)) | (size > LARGEST)))
