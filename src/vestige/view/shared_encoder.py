"""One encoder for the background work and for the person who types, who comes first."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition

import numpy as np

from vestige.encoders.wrapper import Wrapper
from vestige.types import Encoder, Progress, Vectors, silent

AT_ONCE, SEARCHED_AT_ONCE = 64, 8
"""Texts that the background, and a search, encode before they let somebody else have the encoder."""


class SharedEncoder(Wrapper):
    """An encoder that one thread uses at a time. Background work goes in small batches and waits for urgent texts."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self._turn = Condition()
        self._busy = False
        self._urgent = 0

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Encode in the background: one row per text, in the order given."""
        return self.encode_parts(texts, AT_ONCE, progress)

    def encode_parts(self, texts: Sequence[str], size: int, progress: Progress = silent) -> Vectors:
        """Encode so many texts at once, and let urgent texts go first in between."""
        advance = progress("encoding", len(texts))
        parts = [np.empty((0, self.dimension), dtype=np.float32)]
        for start in range(0, len(texts), size):
            parts.append(self._take_turn(texts[start : start + size], urgent=False))
            advance(len(parts[-1]))
        return np.concatenate(parts)

    @contextmanager
    def hold_background(self) -> Iterator[None]:
        """Let nobody else begin to encode while somebody waits for more than a vector."""
        with self._turn:
            self._urgent += 1
        try:
            yield
        finally:
            with self._turn:
                self._urgent -= 1
                self._turn.notify_all()

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


class SearchEncoder(Wrapper):
    """The shared encoder for the queries of a search, which must not hold up whoever types."""

    encoder: SharedEncoder

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Encode a few at a time: one row per text, in the order given."""
        return self.encoder.encode_parts(texts, SEARCHED_AT_ONCE, progress)


class UrgentEncoder(Wrapper):
    """The shared encoder for a text that somebody types and waits for."""

    encoder: SharedEncoder

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:  # noqa: ARG002
        """Encode ahead of the background work: one row per text, in the order given."""
        return self.encoder.encode_now(texts)
