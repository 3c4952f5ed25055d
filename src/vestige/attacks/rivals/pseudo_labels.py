"""PLD: a decoder that labels external documents itself and learns from those labels too."""

from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.checks import check_floor
from vestige.attacks.rivals.checks import as_labelled, as_others
from vestige.attacks.rivals.reading import DecoderAttack
from vestige.attacks.scale import scale_of
from vestige.text.importance.record import Importance
from vestige.types import Progress, Vectors, silent

if TYPE_CHECKING:
    from torch import Tensor


class PseudoLabelDecoder(DecoderAttack):
    """Ranks words by importance with a network of two layers, taught by pairs and by its own guesses.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query), and vectors that an
    encoder of its own makes of external documents.
    Shapes: `fit` takes (n, d) vectors, the importance of n documents and (e, s) external vectors, filled with zeros or
    cut to d columns; `infer` takes (m, d) and gives m rankings.
    Paper: Chen 2023, Section 5.0.1, after Lee 2013; settings as `MlpDecoder`. The paper does not say how a guess
    becomes a label; here the best words, as many as a document has on average, weigh the same, and such labels count
    the more the longer it has learned: from nothing up to as much as the pairs.
    """

    def __init__(self, *, epochs: int = 300) -> None:
        self.epochs = epochs

    def fit(
        self,
        vectors: Vectors,
        importance: Importance,
        *,
        external: Vectors,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs, row i of `vectors` being the embedding of document i, and from external vectors."""
        check_floor("epochs", self.epochs, 1)
        vectors = as_labelled(vectors, importance)
        scale = scale_of(vectors)
        external = as_others(external, "external vectors", vectors.shape[1])
        import torch
        from torch.optim import Adam

        from vestige.attacks.word_decoder import RATE, Decoder, Pairs, descend, drawn, keep_best
        from vestige.nn.listnet import listnet

        pairs = Pairs.of(scale * vectors, importance.weights, rng)
        decoder = drawn(lambda: Decoder(vectors.shape[1], len(importance.words)), rng)
        optimiser = Adam(decoder.parameters(), lr=RATE, fused=True)
        usual = max(1, round(importance.weights.nnz / len(vectors)))
        shares = iter(np.linspace(0, 1, self.epochs))

        def epoch() -> None:
            share = float(next(shares))
            for rows in pairs.batches(rng):
                known, weights = pairs.batch(rows)
                guesses = decoder(torch.from_numpy(external[rng.integers(len(external), size=len(rows))]))
                own = listnet(guesses, pseudo_labels(guesses, usual))
                descend(optimiser, listnet(decoder(known), weights) + share * own)

        keep_best(decoder, pairs, epoch, self.epochs, progress=progress)
        self._learned(decoder, importance, vectors.shape[1], scale)
        return self


def pseudo_labels(scores: "Tensor", words: int) -> "Tensor":
    """The so many best words of each row, of equal weight, the row of unit length; no gradient passes."""
    scores = scores.detach()
    return scores.new_zeros(scores.shape).scatter_(1, scores.topk(words, dim=1).indices, words**-0.5)
