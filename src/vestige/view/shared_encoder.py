"""One encoder for the background work and for the person who types, who comes first."""

from collections.abc import Sequence
from threading import Condition

import numpy as np

from vestige.encoders.wrapper import Wrapper
from vestige.types import Encoder, Progress, Vectors, silent

AT_ONCE = 64
"""Texts that the background encodes before it lets somebody else have the encoder."""


class SharedEncoder(Wrapper):
    """An encoder that one thread uses at a time. Background work goes in small batches and waits for urgent texts."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self._turn = Condition()
        self._busy = False
        self._urgent = 0

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Encode in the background: one row per text, in the order given."""
        advance = progress("encoding", len(texts))
        parts = [np.empty((0, self.dimension), dtype=np.float32)]
        for start in range(0, len(texts), AT_ONCE):
            parts.append(self._take_turn(texts[start : start + AT_ONCE], urgent=False))
            advance(len(parts[-1]))
        return np.concatenate(parts)

    def encode_now(self, texts: Sequence[str]) -> Vectors:
        """Encode for somebody who waits."""
        return self._take_turn(texts, urgent=True)

    def _take_turn(self, texts: Sequence[str], *, urgent: bool) -> Vectors:
        with self._turn:
            self._urgent += urgent
            self._turn.wait_for(lambda: not self._busy and (urgent or not self._urgent))
            self._busy = True
        try:
            return self.encoder.encode(texts)
        finally:
            with self._turn:
                self._busy = False
                self._urgent -= urgent
                self._turn.notify_all()


class UrgentEncoder(Wrapper):
    """The shared encoder for texts that somebody waits for, such as the queries of a search that is watched."""

    encoder: SharedEncoder

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:  # noqa: ARG002
        """Encode ahead of the background work: one row per text, in the order given."""
        return self.encoder.encode_now(texts)
