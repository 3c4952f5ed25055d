"""MLP: a decoder from the queried pairs alone."""

from typing import Self

import numpy as np

from vestige.attacks.checks import check_floor
from vestige.attacks.rivals.checks import as_labelled
from vestige.attacks.rivals.reading import DecoderAttack
from vestige.attacks.scale import scale_of
from vestige.text.importance.record import Importance
from vestige.types import Progress, Vectors, silent


class MlpDecoder(DecoderAttack):
    """Ranks words by importance with a network of two layers.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query).
    Shapes: `fit` takes (n, d) vectors and the importance of n documents, `infer` takes (m, d) and gives m rankings.
    Paper: Chen 2023, Section 5.0.1, after Song and Raghunathan 2020: ListNet, Adam 1e-4, batches of 32. It chooses
    among `epochs` (300, which the paper does not state) on further pairs; here on a fifth of the pairs, so that no more
    are asked for than the budget.
    """

    def __init__(self, *, epochs: int = 300) -> None:
        self.epochs = epochs

    def fit(
        self, vectors: Vectors, importance: Importance, *, rng: np.random.Generator, progress: Progress = silent
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of document i."""
        check_floor("epochs", self.epochs, 1)
        vectors = as_labelled(vectors, importance)
        scale = scale_of(vectors)
        from torch.optim import Adam

        from vestige.attacks.word_decoder import RATE, Decoder, Pairs, descend, drawn, keep_best
        from vestige.nn.listnet import listnet

        pairs = Pairs.of(scale * vectors, importance.weights, rng)
        decoder = drawn(lambda: Decoder(vectors.shape[1], len(importance.words)), rng)
        optimiser = Adam(decoder.parameters(), lr=RATE, fused=True)

        def epoch() -> None:
            for rows in pairs.batches(rng):
                known, weights = pairs.batch(rows)
                descend(optimiser, listnet(decoder(known), weights))

        keep_best(decoder, pairs, epoch, self.epochs, progress=progress)
        self._learned(decoder, importance, vectors.shape[1], scale)
        return self
