"""MLP: a decoder from the queried pairs alone."""

from typing import Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.baselines.decoder_baseline import DecoderBaseline, LabelledVectors, as_labelled_pairs, scale_held
from vestige.attacks.checks import check_floor
from vestige.attacks.rows import length_scale
from vestige.nn.device import Device, choose_device
from vestige.text.importance import Importance
from vestige.types import Progress, Vectors, WordGuesses, silent


class MlpDecoder(DecoderBaseline):
    """Ranks words by importance with a network of two layers.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query). Shapes: `fit` takes
    (n, d) vectors and the importance of n documents; `infer` takes (m, d) and returns m rankings. Paper: Chen 2023,
    Section 5.0.1, after Song and Raghunathan 2020: ListNet, Adam 1e-4, batches of 32. The paper chooses among `epochs`
    (300, which it does not state) on further pairs, as here with `validation`; without, on a fifth of the pairs, so
    that no more are queried than the budget.
    """

    info = AttackInfo(
        name="importance-mlp",
        summary="baseline: ranks words by importance, from a few queried pairs alone (Chen 2023: MLP)",
        output=WordGuesses,
        access=("pairs",),
        paper="Chen, NTU 2023, Section 5.0.1, after Song and Raghunathan 2020",
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
        rng: np.random.Generator,
        validation: LabelledVectors | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of document i."""
        check_floor("epochs", self.epochs, 1)
        vectors = as_labelled_pairs(vectors, importance)
        scale = length_scale(vectors)
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

        def epoch() -> None:
            for rows in pairs.batches(rng):
                known, weights = pairs.batch(rows)
                take_step(optimiser, listnet(decoder(known), weights))

        self.log_ = train_best_epoch(decoder, pairs, epoch, self.epochs, progress=progress)
        self._store(decoder, importance, vectors.shape[1], scale)
        return self
