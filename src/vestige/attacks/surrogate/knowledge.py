"""What the adversary holds once its queries are spent."""

from dataclasses import dataclass

from scipy import sparse

from vestige.types import Integers, Singles


@dataclass(frozen=True)
class Documents:
    """Texts as the surrogate sees them, and how much each word of the vocabulary matters in each."""

    vectors: Singles
    weights: sparse.csr_array

    def __len__(self) -> int:
        return len(self.vectors)


@dataclass(frozen=True)
class Knowledge:
    """`answers` are the private encoder's vectors of the rows `queried` of the pool; `targets` are the victims'."""

    targets: Singles
    pool: Documents
    queried: Integers
    answers: Singles
    external: Documents
