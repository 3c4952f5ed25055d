"""Samples that depend on what rows hold, and not on where a store keeps them.

Each row has a key: a digest of its text, or of its vector where there is no text, and of the seed. The rows with the
smallest keys are the sample, in the order of their keys. So the same rows are drawn from any kind of store, in
whatever order it lists them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from vestige.memory import check_memory
from vestige.types import Integers, Vectors

Keys = npt.NDArray[np.uint64]

SCANNED_ROWS = 500_000
"""Rows that are read to draw from them. Of a larger store, rows are drawn by position: reading all takes too long."""


def sort_by_content(vectors: Vectors | None, texts: Sequence[str] | None, seed: int) -> list[int]:
    """The order in which a sample of all these rows would have them. Texts are sorted alike without their vectors."""
    rows = np.empty((len(texts or ()), 0), np.float32) if vectors is None else vectors
    keys = ContentSample(len(rows), seed, "")._compute_keys(rows, texts)
    return [int(row) for row in np.lexsort((np.arange(len(keys)), keys))]


@dataclass
class ContentSample:
    """The rows with the `size` smallest keys among those that were added: their keys, numbers and Arrow tables."""

    size: int
    seed: int
    place: str
    keys: Keys = field(default_factory=lambda: np.empty(0, np.uint64))
    numbers: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    _parts: list[Any] = field(default_factory=list)
    _seen: Counter[bytes] = field(default_factory=Counter)
    _rows: int = 0

    def add(self, rows: Any, vectors: Vectors, texts: Sequence[str] | None) -> None:
        """Add consecutive rows of a store."""
        keys = self._compute_keys(vectors, texts)
        numbers = np.arange(self._rows, self._rows + len(keys))
        self._rows += len(keys)
        bound = self.keys.max() if len(self.keys) >= self.size else np.iinfo(np.uint64).max
        small = np.flatnonzero(keys <= bound)
        self.keys, self.numbers = np.append(self.keys, keys[small]), np.append(self.numbers, numbers[small])
        self._parts.append(rows.take(small))
        if len(self.keys) > 2 * self.size:
            self._drop_large()
        check_memory(sum(part.nbytes for part in self._parts), self.place, "draw fewer rows with --sample")

    def collect(self) -> Any:
        """The rows of the sample as one table, in the order of their keys."""
        self._drop_large()
        return self._parts[0]

    def _drop_large(self) -> None:
        import pyarrow as pa

        order = np.lexsort((self.numbers, self.keys))[: self.size]
        self._parts = [pa.concat_tables(self._parts, promote_options="permissive").take(order).combine_chunks()]
        self.keys, self.numbers = self.keys[order], self.numbers[order]

    def _compute_keys(self, vectors: Vectors, texts: Sequence[str] | None) -> Keys:
        """A key per row. Copies of a text get different keys: all or none of them would be a strange sample."""
        named: Iterable[bytes] = (
            vectors[row].tobytes() if texts is None or not texts[row] else texts[row].encode("utf-8", "surrogatepass")
            for row in range(len(vectors))
        )
        digests = [blake2b(content, digest_size=16, key=b"row").digest() for content in named]
        keys = np.empty(len(digests), np.uint64)
        for row, digest in enumerate(digests):
            copy = f"{self.seed} {self._seen[digest]}".encode()
            self._seen[digest] += 1
            keys[row] = int.from_bytes(blake2b(digest + copy, digest_size=8).digest(), "little")
        return keys
