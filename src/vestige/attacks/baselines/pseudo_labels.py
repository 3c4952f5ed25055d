"""PLD: a decoder that labels external documents itself and learns from those labels too."""

from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.baselines.decoder_baseline import (
    DecoderBaseline,
    LabelledVectors,
    as_further_vectors,
    as_labelled_pairs,
    scale_held,
)
from vestige.attacks.checks import check_floor
from vestige.attacks.rows import length_scale
from vestige.nn.device import Device, choose_device
from vestige.text.importance import Importance
from vestige.types import Progress, Vectors, WordGuesses, silent

if TYPE_CHECKING:
    from torch import Tensor


class PseudoLabelDecoder(DecoderBaseline):
    """Ranks words by importance with a network of two layers, trained on pairs and on its own guesses.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query), and vectors that an
    encoder of its own makes of external documents. Shapes: `fit` takes (n, d) vectors, the importance of n documents
    and (e, s) external vectors, padded with zeros or cut to d columns; `infer` takes (m, d) and returns m rankings.
    Paper: Chen 2023, Section 5.0.1, after Lee 2013; settings as `MlpDecoder`. The paper does not say how a guess
    becomes a label; here the best words, as many as a document has on average, get equal weights, and the weight of
    such labels in the loss rises linearly over training from zero to that of the pairs.
    """

    info = AttackInfo(
        name="importance-pseudo-labels",
        summary="baseline: ranks words by importance, from a few queried pairs and its own labels (Chen 2023: PLD)",
        output=WordGuesses,
        access=("pairs", "texts"),
        paper="Chen, NTU 2023, Section 5.0.1, after Lee 2013",
        role="baseline",
    )

    def __init__(self, *, epochs: int = 300, device: Device = "cpu") -> None:
        self.epochs = epochs
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        importance: Importance,
        *,
        external_vectors: Vectors,
        rng: np.random.Generator,
        validation: LabelledVectors | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs, row i of `vectors` being the embedding of document i, and from external vectors."""
        check_floor("epochs", self.epochs, 1)
        vectors = as_labelled_pairs(vectors, importance)
        scale = length_scale(vectors)
        external = as_further_vectors(external_vectors, "external vectors", vectors.shape[1])
        import torch
        from torch.optim import Adam

        from vestige.attacks.word_decoder import (
            RATE,
            WeighedPairs,
            WordDecoder,
            init_seeded,
            take_step,
            train_best_epoch,
        )
        from vestige.nn.listnet import listnet

        held, device = scale_held(validation, vectors, scale), choose_device(self.device)
        pairs = WeighedPairs.build(scale * vectors, importance.weights, rng, held, device)
        decoder = init_seeded(lambda: WordDecoder(vectors.shape[1], len(importance.words)), rng).to(device)
        optimiser = Adam(decoder.parameters(), lr=RATE, fused=True)
        typical = max(1, round(importance.weights.nnz / len(vectors)))
        shares = iter(np.linspace(0, 1, self.epochs))

        def epoch() -> None:
            share = float(next(shares))
            for rows in pairs.batches(rng):
                known, weights = pairs.batch(rows)
                others = torch.from_numpy(external[rng.integers(len(external), size=len(rows))]).to(device)
                guesses = decoder(others)
                own = listnet(guesses, pseudo_labels(guesses, typical))
                take_step(optimiser, listnet(decoder(known), weights) + share * own)

        self.log_ = train_best_epoch(decoder, pairs, epoch, self.epochs, progress=progress)
        self._store(decoder, importance, vectors.shape[1], scale)
        return self


def pseudo_labels(scores: "Tensor", words: int) -> "Tensor":
    """The so many best words of each row, with equal weights, the row of unit length; no gradient passes."""
    scores = scores.detach()
    return scores.new_zeros(scores.shape).scatter_(1, scores.topk(words, dim=1).indices, words**-0.5)
