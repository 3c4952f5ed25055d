"""What a pattern reconstruction is taught from."""

from dataclasses import dataclass

import numpy as np

from vestige.text.patterns import Pattern, Records
from vestige.types import Integers, Vectors


@dataclass(frozen=True, slots=True)
class Lesson:
    """Vectors of texts that the adversary made up; `labels` has a column a secret, `sizes` how many values each has."""

    vectors: Vectors
    labels: Integers
    sizes: list[int]

    @classmethod
    def of(cls, vectors: Vectors, records: Records, pattern: Pattern) -> "Lesson":
        """The values of each secret by their number."""
        columns = []
        for name, values in pattern.secrets.items():
            number = {value: place for place, value in enumerate(values)}
            columns.append([number[value] for value in records.secrets[name]])
        return cls(vectors, np.array(columns).T.copy(), [len(values) for values in pattern.secrets.values()])
