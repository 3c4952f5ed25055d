"""BERT-GAN: a decoder that also tells private vectors from those that a generator makes."""

from typing import Self

import numpy as np

from vestige.attacks.checks import check_floor
from vestige.attacks.rivals.checks import as_labelled, as_others
from vestige.attacks.rivals.reading import DecoderAttack
from vestige.attacks.scale import scale_of
from vestige.checks import as_vectors
from vestige.text.importance.record import Importance
from vestige.types import Progress, Vectors, silent


class GanDecoder(DecoderAttack):
    """Ranks words by importance with a network of two layers, the first of which also learns what a private vector is.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query), vectors that an
    encoder of its own makes of external documents, and the vectors under attack.
    Shapes: `fit` takes (n, d) vectors, the importance of n documents, (e, s) external vectors and (v, d) victims;
    `infer` takes (m, d) and gives m rankings.
    Paper: Chen 2023, Section 5.0.1, after Croce et al. 2020; settings as `MlpDecoder`. The paper says only that BERT
    is the generator: read here as the adversary's encoder with a linear layer on top, which is what is trained of it.
    As in Croce et al. it learns to pass for private and to have the mean features of private vectors.
    """

    def __init__(self, *, epochs: int = 300) -> None:
        self.epochs = epochs

    def fit(
        self,
        vectors: Vectors,
        importance: Importance,
        *,
        external: Vectors,
        victims: Vectors,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs, row i of `vectors` being the embedding of document i, from external ones and victims."""
        check_floor("epochs", self.epochs, 1)
        vectors = as_labelled(vectors, importance)
        scale = scale_of(vectors)
        external = as_others(external, "external vectors")
        external = scale_of(external) * external
        victims = scale * as_others(as_vectors(victims, vectors.shape[1]), "victims")
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits as told
        from torch.nn.functional import mse_loss
        from torch.optim import Adam

        from vestige.attacks.word_decoder import RATE, UNITS, Decoder, Pairs, descend, drawn, keep_best
        from vestige.nn.listnet import listnet

        pairs = Pairs.of(scale * vectors, importance.weights, rng)
        decoder = drawn(lambda: Decoder(vectors.shape[1], len(importance.words)), rng)
        private = drawn(lambda: torch.nn.Linear(UNITS, 1), rng)
        generator = drawn(lambda: torch.nn.Linear(external.shape[1], vectors.shape[1]), rng)
        deciding = Adam([*decoder.parameters(), *private.parameters()], lr=RATE, fused=True)
        generating = Adam(generator.parameters(), lr=RATE, fused=True)

        def epoch() -> None:
            for rows in pairs.batches(rng):
                known, weights = pairs.batch(rows)
                real, base = (
                    torch.from_numpy(each[rng.integers(len(each), size=len(rows))]) for each in (victims, external)
                )
                yes, no = torch.ones(len(rows), 1), torch.zeros(len(rows), 1)
                made = generator(base)
                apart = told(private(decoder.features(real)), yes)
                apart = apart + told(private(decoder.features(made.detach())), no)
                descend(deciding, listnet(decoder(known), weights) + apart)
                features = decoder.features(made)
                alike = mse_loss(features.mean(dim=0), decoder.features(real).mean(dim=0).detach())
                descend(generating, told(private(features), yes) + alike)

        keep_best(decoder, pairs, epoch, self.epochs, progress=progress)
        self._learned(decoder, importance, vectors.shape[1], scale)
        return self
