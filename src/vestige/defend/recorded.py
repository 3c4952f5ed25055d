"""A defense that is known by its output alone: the protected row of every raw row."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from vestige.defenses.defense import Defense, DefenseInfo
from vestige.errors import InputError
from vestige.types import Vectors
from vestige.utility.neighbours import Metric


class RecordedMap(Defense):
    """Looks rows up in two tables that somebody else made, row by row; `queries` are the same rows as search queries.

    `metric` is how a query is compared with rows. Where raw vectors repeat, their protected rows are taken in turn, so
    that each noise is used once.
    Guarantee: unknown.
    Shapes: (n, d) to (n, m), for the rows of the table.
    """

    info: ClassVar[DefenseInfo] = DefenseInfo("recorded", "protected vectors of an unknown origin")

    def __init__(self, raw: Vectors, protected: Vectors, queries: Vectors | None = None) -> None:
        self.raw = raw
        self.protected = protected
        self.queries = queries
        self.metric: Metric = "cosine"
        self.columns_ = raw.shape[1]
        self._rows: dict[bytes, list[int]] = defaultdict(list)
        for row, content in enumerate(_list_contents(raw)):
            self._rows[content].append(row)

    def transform_queries(self, vectors: Any, *, start: int = 0) -> Vectors:
        """The recorded queries; the protected rows where there are none."""
        table = self.protected if self.queries is None else self.queries
        return table[self._find(self._check(vectors, start, "transform_queries"))]

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        raise NotImplementedError("a recorded map is built from its tables")

    def _transform(self, vectors: Vectors, start: int) -> Vectors:  # noqa: ARG002
        return self.protected[self._find(vectors)]

    def _find(self, vectors: Vectors) -> list[int]:
        """The row of each vector in the tables."""
        seen: Counter[bytes] = Counter()
        found = []
        for content in _list_contents(vectors):
            rows = self._rows.get(content)
            if rows is None:
                raise InputError(
                    "a vector has no protected counterpart; expected the rows of RAW and PROTECTED to be those of the "
                    "texts, in the same order"
                )
            found.append(rows[seen[content] % len(rows)])
            seen[content] += 1
        return found


def _list_contents(vectors: Vectors) -> Iterator[bytes]:
    yield from (row.tobytes() for row in np.ascontiguousarray(vectors, np.float32))
