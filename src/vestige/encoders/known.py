"""The vectors of texts that are known already, where the encoder that made them cannot be asked."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from vestige.errors import InputError
from vestige.types import Progress, Vectors, silent


class KnownTexts:
    """Stands where an encoder would, and answers for these texts alone, each with its vector as it was found."""

    name = "known texts"

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self._vectors, self.dimension = vectors, int(vectors.shape[1])
        self._rows = {text: row for row, text in reversed(list(enumerate(texts)))}
        self.identity = f"known texts {_digest(texts)} {sha256(vectors.tobytes()).hexdigest()}"

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""
        unknown = next((text for text in texts if text not in self._rows), None)
        if unknown is not None:
            raise InputError(
                f"a text of {len(unknown)} letters has no vector, and the encoder is not there to make one; "
                "name the encoder with --encoder"
            )
        progress("encoding", len(texts))(len(texts))
        return self._vectors[[self._rows[text] for text in texts]]


def _digest(texts: Iterable[str]) -> str:
    return sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
