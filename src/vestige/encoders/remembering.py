"""An encoder that is asked for a text once."""

from collections.abc import Sequence

import numpy as np

from vestige.encoders.wrapper import Wrapper
from vestige.types import Encoder, Progress, Vectors, silent


class Remembering(Wrapper):
    """Keeps what it was asked in memory: a text that comes again, in another call or in this one, is not asked again.

    Around `Metered`, it makes a budget count texts and not calls.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self._known: dict[str, Vectors] = {}

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known |= zip(new, self.encoder.encode(new, progress=progress), strict=True)
        return np.stack([self._known[text] for text in texts])
