"""An encoder that counts its processor time."""

from collections.abc import Sequence
from time import process_time

from vestige.encoders.metered import Metered
from vestige.types import Encoder, Progress, Vectors, silent


class TimedEncoder(Metered):
    """Counts its processor time, which is not that of learning."""

    def __init__(self, encoder: Encoder, budget: int | None = None) -> None:
        super().__init__(encoder, budget)
        self.seconds = 0.0

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Encode, and add the time."""
        started = process_time()
        vectors = super().encode(texts, progress=progress)
        self.seconds += process_time() - started
        return vectors
