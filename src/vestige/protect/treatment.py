"""What `protect` does to every block of rows: the map of a fitted defense, and the format of the result."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from vestige.defenses.defense import Defense
from vestige.defenses.saved import compute_digest
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.types import Vectors
from vestige.vector_codes import VectorCode, code_path

FLOAT = np.dtype("<f4")


@dataclass(frozen=True)
class Treatment:
    """A fitted defense, for the rows of a store or for search queries; `compact` writes codes instead of float32."""

    defense: Defense
    queries: bool = False
    compact: bool = False

    def apply(self, vectors: Vectors, start: int) -> Any:
        """The treated rows, float32 or codes; the first is row `start` of its table."""
        if self.compact:
            return self.defense.transform_compact(vectors, start=start)
        transform = self.defense.transform_queries if self.queries else self.defense.transform
        return transform(vectors, start=start)

    @cached_property
    def code(self) -> VectorCode | None:
        """The code of the output; None for float32."""
        return self.defense.code() if self.compact else None

    @cached_property
    def dimension(self) -> int:
        """Numbers in a treated vector."""
        return int(self.defense.transform(np.zeros((0, self.defense.columns_), np.float32)).shape[1])

    @property
    def columns(self) -> int:
        """Columns of the output."""
        return self.dimension if self.code is None else self.code.columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """The number type of the output."""
        return FLOAT if self.code is None else np.dtype(self.code.dtype)

    @property
    def row_bytes(self) -> int:
        """Bytes per vector of the output."""
        return self.columns * self.dtype.itemsize

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the output depends on besides the vectors and their rows."""
        identity = (compute_digest(self.defense), self.queries, self.compact)
        return hashlib.sha256(repr(identity).encode()).hexdigest()


def check_description(out: Path, code: VectorCode | None) -> None:
    """Raise if the description next to where a .npy file will be is of other codes."""
    place = code_path(out)
    if code is not None and place.exists() and place.read_bytes() != code.to_json().encode():
        raise InputError(f"{place} describes other vectors; move it away, or name another file")


def describe_array(out: Path, code: VectorCode | None) -> None:
    """Write the description of a .npy file of codes next to where that file will be; nothing for float32."""
    if code is not None:
        write_whole(code_path(out), code.to_json().encode())
