"""Compact codes of vectors: a bit or a byte per number. A code says what its bytes stand for, as numbers and as JSON.

Files that hold codes carry this JSON: parquet in the metadata of the column, .npy in a file next to it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Floats, Singles, Vectors

Codes = npt.NDArray[np.uint8] | npt.NDArray[np.int8]

METADATA = b"vestige.code"
"""The key of a code in the metadata of an Arrow column."""

LEVELS, OFFSET = 256, 128


@dataclass(frozen=True, slots=True)
class BitCode:
    """One bit per number, eight numbers per byte, the first in the highest bit; the last byte ends in zeros.

    A bit stands for plus or minus 1 / √d, so that vectors have unit length.
    """

    name: ClassVar[str] = "bits"
    form: ClassVar[str] = "binary"
    dtype: ClassVar[npt.DTypeLike] = np.uint8
    dimension: int

    @property
    def columns(self) -> int:
        """Bytes per vector."""
        return -(-self.dimension // 8)

    def encode(self, vectors: Vectors) -> Codes:
        """The bits of the vectors, packed; zero counts as negative."""
        return np.packbits(vectors > 0, axis=1)

    def decode(self, codes: Codes) -> Singles:
        """The numbers that the bits stand for."""
        return self._as_numbers(np.unpackbits(codes.view(np.uint8), axis=1, count=self.dimension))

    def quantise(self, vectors: Vectors) -> Singles:
        """What `decode` makes of the codes of the vectors, without packing them."""
        return self._as_numbers(vectors > 0)

    def to_json(self) -> str:
        """The code as JSON, without its values."""
        return json.dumps({"code": self.name, "dimension": self.dimension})

    def _as_numbers(self, bits: npt.NDArray[Any]) -> Singles:
        step = np.float32(self.dimension**-0.5)
        numbers = bits.astype(np.float32)
        numbers *= 2 * step
        numbers -= step
        return numbers


@dataclass(frozen=True, slots=True, eq=False)
class ByteCode:
    """One signed byte per number: byte b stands for `low` + (b + 128) · `step`, of its column or of all columns."""

    name: ClassVar[str] = "int8"
    form: ClassVar[str] = "int8"
    dtype: ClassVar[npt.DTypeLike] = np.int8
    dimension: int
    low: Floats
    step: Floats

    @property
    def columns(self) -> int:
        """Bytes per vector."""
        return self.dimension

    def encode(self, vectors: Vectors) -> Codes:
        """The nearest step of every number, clipped to the ends of the range."""
        steps = self._count_steps(vectors)
        steps -= OFFSET
        return steps.astype(np.int8)

    def decode(self, codes: Codes) -> Singles:
        """The numbers that the bytes stand for."""
        steps = codes.astype(np.float64)
        steps += OFFSET
        return self._as_numbers(steps)

    def quantise(self, vectors: Vectors) -> Singles:
        """What `decode` makes of the codes of the vectors, without the bytes."""
        return self._as_numbers(self._count_steps(vectors))

    def to_json(self) -> str:
        """The code as JSON, with the low end and the step of every column, or of all columns."""
        ranges = {"low": self.low.tolist(), "step": self.step.tolist()}
        return json.dumps({"code": self.name, "dimension": self.dimension, **ranges})

    def _count_steps(self, vectors: Vectors) -> Floats:
        steps: Floats = vectors - self.low
        steps /= np.where(self.step > 0, self.step, np.inf)
        return np.clip(np.rint(steps, out=steps), 0, LEVELS - 1, out=steps)

    def _as_numbers(self, steps: Floats) -> Singles:
        steps *= self.step
        steps += self.low
        return steps.astype(np.float32)


VectorCode = BitCode | ByteCode


def code_path(path: Path) -> Path:
    """The file that says what the bytes of a .npy file of codes stand for."""
    return path.with_name(f"{path.name}.code.json")


def parse_code(written: str | bytes, place: str) -> VectorCode:
    """The code that was written as JSON; raise if it is damaged."""
    try:
        code = _build_code(json.loads(written))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{place} describes no code of vectors ({error}); expected what `vestige protect --format compact` wrote, "
            "protect the vectors again"
        ) from error
    return code


def check_codes(code: VectorCode, dtype: Any, columns: int, place: str) -> None:
    """Raise unless codes have the type and the number of bytes per vector that the code describes."""
    if np.dtype(dtype) != np.dtype(code.dtype) or columns != code.columns:
        raise InputError(
            f"{place} holds {columns} numbers of {np.dtype(dtype).name} per vector; its code '{code.name}' describes "
            f"{code.columns} of {np.dtype(code.dtype).name}; keep each file with its own description"
        )


def _build_code(written: dict[str, Any]) -> VectorCode:
    dimension = int(written["dimension"])
    if dimension < 1:
        raise ValueError(f"{dimension} dimensions")
    if written["code"] == BitCode.name:
        return BitCode(dimension)
    if written["code"] != ByteCode.name:
        raise ValueError(f"unknown code {written['code']!r}")
    low, step = (np.asarray(written[name], np.float64) for name in ("low", "step"))
    if low.shape != step.shape or low.shape not in ((), (1,), (dimension,)):
        raise ValueError(f"ranges of shapes {low.shape} and {step.shape} for {dimension} dimensions")
    if not (np.isfinite(low).all() and np.isfinite(step).all() and (step >= 0).all()):
        raise ValueError("ranges that are not finite, or negative steps")
    return ByteCode(dimension, low, step)
