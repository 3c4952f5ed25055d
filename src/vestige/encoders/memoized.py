"""Wrappers that send each text to an encoder once, and that choose an encoder when it is first needed."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from vestige.encoders.wrapper import Wrapper
from vestige.types import Encoder, Progress, Vectors, silent


class Memoized(Wrapper):
    """An encoder that remembers its vectors: a repeated text, in this call or a later one, is no new query.

    Around `Metered`, it makes a budget count distinct texts; within, it saves computing a text again. It starts with
    the vectors in `known`, which the encoder made earlier.
    """

    def __init__(self, encoder: Encoder, known: Mapping[str, Vectors] | None = None) -> None:
        super().__init__(encoder)
        self._known: dict[str, Vectors] = {**(known or {})}

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self.encoder.encode(new, progress=progress), strict=True))
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._known[text] for text in texts])


class DeferredEncoder(Wrapper):
    """An encoder that is queried in a form that `choose` returns when the first text is encoded, and not before."""

    def __init__(self, encoder: Encoder, choose: Callable[[], Encoder]) -> None:
        super().__init__(encoder)
        self._choose = choose

    @cached_property
    def _chosen(self) -> Encoder:
        return self._choose()

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given."""
        return self._chosen.encode(texts, progress=progress)
