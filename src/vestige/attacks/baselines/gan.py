"""BERT-GAN: a decoder that also separates private vectors from those of a generator."""

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
from vestige.checks import as_vectors
from vestige.nn.device import Device, choose_device
from vestige.text.importance import Importance
from vestige.types import Progress, Vectors, WordGuesses, silent

if TYPE_CHECKING:
    from vestige.attacks.word_decoder import WeighedPairs, WordDecoder


class GanDecoder(DecoderBaseline):
    """Ranks words by importance with a network of two layers, whose first also learns what a private vector looks like.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query), vectors that an
    encoder of its own makes of external documents, and the vectors under attack. Shapes: `fit` takes (n, d) vectors,
    the importance of n documents, (e, s) external vectors and (v, d) victims; `infer` takes (m, d) and returns m
    rankings. Paper: Chen 2023, Section 5.0.1, after Croce et al. 2020; settings as `MlpDecoder`. The paper says only
    that BERT is the generator: here it is the adversary's encoder with a linear layer on top, and only that layer is
    trained. As in Croce et al. it learns to pass for private and to match the mean features of private vectors.
    """

    info = AttackInfo(
        name="importance-gan",
        summary="baseline: ranks words by importance, from a few queried pairs and a generator (Chen 2023: BERT-GAN)",
        output=WordGuesses,
        access=("pairs", "texts", "vectors"),
        paper="Chen, NTU 2023, Section 5.0.1, after Croce et al. 2020",
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
        victims: Vectors,
        rng: np.random.Generator,
        validation: LabelledVectors | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs, row i of `vectors` being the embedding of document i, from external vectors and victims."""
        check_floor("epochs", self.epochs, 1)
        vectors = as_labelled_pairs(vectors, importance)
        scale = length_scale(vectors)
        external = as_further_vectors(external_vectors, "external vectors")
        external = length_scale(external) * external
        victims = scale * as_further_vectors(as_vectors(victims, vectors.shape[1]), "victims")
        from vestige.attacks.word_decoder import WeighedPairs

        held = scale_held(validation, vectors, scale)
        pairs = WeighedPairs.build(scale * vectors, importance.weights, rng, held, choose_device(self.device))
        decoder = self._train(pairs, external, victims, rng, progress)
        self._store(decoder, importance, vectors.shape[1], scale)
        return self

    def _train(
        self,
        pairs: "WeighedPairs",
        external: Vectors,
        victims: Vectors,
        rng: np.random.Generator,
        progress: Progress,
    ) -> "WordDecoder":
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy
        from torch.nn.functional import mse_loss
        from torch.optim import Adam

        from vestige.attacks.word_decoder import (
            RATE,
            UNITS,
            WordDecoder,
            init_seeded,
            take_step,
            train_best_epoch,
        )
        from vestige.nn.listnet import listnet

        device = pairs.device
        decoder = init_seeded(lambda: WordDecoder(pairs.vectors.shape[1], pairs.weights.shape[1]), rng).to(device)
        private = init_seeded(lambda: torch.nn.Linear(UNITS, 1), rng).to(device)
        generator = init_seeded(lambda: torch.nn.Linear(external.shape[1], pairs.vectors.shape[1]), rng).to(device)
        deciding = Adam([*decoder.parameters(), *private.parameters()], lr=RATE, fused=True)
        generating = Adam(generator.parameters(), lr=RATE, fused=True)

        def epoch() -> None:
            for rows in pairs.batches(rng):
                known, weights = pairs.batch(rows)
                real, base = (
                    torch.from_numpy(each[rng.integers(len(each), size=len(rows))]).to(device)
                    for each in (victims, external)
                )
                yes, no = torch.ones(len(rows), 1, device=device), torch.zeros(len(rows), 1, device=device)
                generated = generator(base)
                separation = cross_entropy(private(decoder.features(real)), yes)
                separation = separation + cross_entropy(private(decoder.features(generated.detach())), no)
                take_step(deciding, listnet(decoder(known), weights) + separation)
                features = decoder.features(generated)
                matching = mse_loss(features.mean(dim=0), decoder.features(real).mean(dim=0).detach())
                take_step(generating, cross_entropy(private(features), yes) + matching)

        self.log_ = train_best_epoch(decoder, pairs, epoch, self.epochs, progress=progress)
        return decoder
