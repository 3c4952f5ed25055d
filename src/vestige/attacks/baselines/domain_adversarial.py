"""DAAM: the domain-adversarial network of Pan et al. 2020, with one head for all words of the vocabulary."""

from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.baselines.decoder_baseline import (
    DecoderBaseline,
    LabelledVectors,
    as_further_vectors,
    as_labelled_pairs,
    as_weighed,
    check_same_words,
    scale_held,
)
from vestige.attacks.checks import check_floor
from vestige.attacks.rows import length_scale
from vestige.checks import as_vectors
from vestige.nn.device import Device, choose_device
from vestige.text.importance import Importance
from vestige.types import Progress, Vectors, WordGuesses, silent

if TYPE_CHECKING:
    from scipy import sparse

    from vestige.attacks.word_decoder import WeighedPairs, WordDecoder


class DomainAdversarialDecoder(DecoderBaseline):
    """Ranks words by how likely a document contains them, from what external and private vectors have in common.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query), vectors that an
    encoder of its own makes of external documents whose words it knows, and the vectors under attack. Shapes: `fit`
    takes (n, d) vectors, the importance of n documents, (e, s) external vectors, padded with zeros or cut to d columns,
    the importance of e documents, and (v, d) victims; `infer` takes (m, d) and returns m rankings. Paper: Chen 2023,
    Section 5.0.1, after Pan et al. 2020, with its settings: `shared` sigmoid units (25), a head that predicts the
    presence of each word and one that predicts the domain, its gradient reversed times `reversal` (1); Adam at `rate`
    (1e-3), batches of 64, 50 `epochs`. Half of a batch are pairs, half external documents; an epoch is one pass over
    the external documents. That it learns words from both is our interpretation; the paper says only that the setting
    is that of Pan et al.
    """

    info = AttackInfo(
        name="importance-domain-adversarial",
        summary="baseline: ranks words by presence, from queried pairs, external texts and victims (Chen 2023: DAAM)",
        output=WordGuesses,
        access=("pairs", "texts", "vectors"),
        paper="Chen, NTU 2023, Section 5.0.1, after Pan et al. 2020",
        role="baseline",
    )

    def __init__(
        self,
        *,
        shared: int = 25,
        reversal: float = 1.0,
        epochs: int = 50,
        rate: float = 1e-3,
        device: Device = "cpu",
    ) -> None:
        self.shared = shared
        self.reversal = reversal
        self.epochs = epochs
        self.rate = rate
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        importance: Importance,
        *,
        external_vectors: Vectors,
        external_importance: Importance,
        victims: Vectors,
        rng: np.random.Generator,
        validation: LabelledVectors | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn words from pairs and external documents, and from the victims what a private vector looks like."""
        check_floor("shared", self.shared, 1)
        check_floor("reversal", self.reversal, 0)
        check_floor("epochs", self.epochs, 1)
        check_floor("rate", self.rate, 0)
        vectors = as_labelled_pairs(vectors, importance)
        scale = length_scale(vectors)
        check_same_words(importance, external_importance)
        external = as_further_vectors(
            as_weighed(external_vectors, external_importance), "external vectors", vectors.shape[1]
        )
        victims = scale * as_further_vectors(as_vectors(victims, vectors.shape[1]), "victims")
        weights = external_importance.weights
        from vestige.attacks.word_decoder import WeighedPairs

        held = scale_held(validation, vectors, scale)
        pairs = WeighedPairs.build(scale * vectors, importance.weights, rng, held, choose_device(self.device))
        decoder = self._train(pairs, (external, weights), victims, rng, progress)
        self._store(decoder, importance, vectors.shape[1], scale)
        return self

    def _train(
        self,
        pairs: "WeighedPairs",
        external: "tuple[Vectors, sparse.csr_array]",
        victims: Vectors,
        rng: np.random.Generator,
        progress: Progress,
    ) -> "WordDecoder":
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy
        from torch.optim import Adam

        from vestige.attacks.word_decoder import (
            BATCH,
            WordDecoder,
            init_seeded,
            take_step,
            to_dense,
            train_best_epoch,
        )
        from vestige.nn.gradient_reversal import reverse_gradient

        decoder = init_seeded(
            lambda: WordDecoder(pairs.vectors.shape[1], pairs.weights.shape[1], self.shared, torch.sigmoid), rng
        ).to(pairs.device)
        domain = init_seeded(lambda: torch.nn.Linear(self.shared, 1), rng).to(pairs.device)
        optimiser = Adam([*decoder.parameters(), *domain.parameters()], lr=self.rate, fused=True)
        domains = torch.repeat_interleave(torch.tensor([0.0, 1.0], device=pairs.device), BATCH)[:, None]
        sizes = (pairs.train, len(external[0]), len(victims))

        def epoch() -> None:
            for _ in range(-(-len(external[0]) // BATCH)):
                rows, foreign, attacked = (rng.integers(size, size=BATCH) for size in sizes)
                known, weights = pairs.batch(rows)
                outside, private = (
                    torch.from_numpy(each).to(pairs.device) for each in (external[0][foreign], victims[attacked])
                )
                present = torch.cat([weights, to_dense(external[1], foreign).to(pairs.device)]) > 0
                words = cross_entropy(decoder(torch.cat([known, outside])), present.float())
                shared = decoder.features(torch.cat([outside, private]))
                take_step(optimiser, words + cross_entropy(domain(reverse_gradient(shared, self.reversal)), domains))

        self.log_ = train_best_epoch(decoder, pairs, epoch, self.epochs, patience=None, progress=progress)
        return decoder
