"""What the rivals that train a decoder do with it."""

from typing import TYPE_CHECKING

import numpy as np

from vestige.attacks.rivals.ranking import ranked_words
from vestige.checks import as_vectors
from vestige.errors import NotFitted
from vestige.text.importance.record import Importance
from vestige.types import Vectors, WordGuesses

if TYPE_CHECKING:
    from vestige.attacks.word_decoder import Decoder


class DecoderAttack:
    """Ranks words by the scores of the decoder that `fit` left."""

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The best words of each vector, ranked; the chance of each is that of coming first."""
        if not hasattr(self, "decoder_"):
            raise NotFitted(f"{type(self).__name__}.infer was called before fit; call fit with pairs first")
        return ranked_words(self.scale_ * as_vectors(vectors, self.columns_), self.words_, self.decoder_.scores)

    def _learned(self, decoder: "Decoder", importance: Importance, columns: int, scale: np.float32) -> None:
        self.decoder_ = decoder
        self.words_ = importance.words
        self.columns_ = columns
        self.scale_ = scale
