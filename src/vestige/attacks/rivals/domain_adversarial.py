"""DAAM: the domain-adversarial network of Pan et al., with a head for every word of the vocabulary at once."""

from typing import Self

import numpy as np

from vestige.attacks.checks import check_floor
from vestige.attacks.rivals.checks import as_labelled, as_others, as_weighed, check_same_words
from vestige.attacks.rivals.reading import DecoderAttack
from vestige.attacks.scale import scale_of
from vestige.checks import as_vectors
from vestige.text.importance.record import Importance
from vestige.types import Progress, Vectors, silent


class DomainAdversarialDecoder(DecoderAttack):
    """Ranks words by how likely a document holds them, by what external and private vectors have in common.

    The adversary sees: vectors of documents whose words it knows (pairs, as many as it may query), vectors that an
    encoder of its own makes of external documents whose words it knows, and the vectors under attack.
    Shapes: `fit` takes (n, d) vectors, the importance of n documents, (e, s) external vectors, filled with zeros or
    cut to d columns, the importance of e documents, and (v, d) victims; `infer` takes (m, d) and gives m rankings.
    Paper: Chen 2023, Section 5.0.1, after Pan et al. 2020, whose settings it keeps: `shared` sigmoid units (25), a head
    that tells whether each word is there and one that tells the domain, its gradient reversed times `reversal` (1);
    Adam at `rate` (1e-3), batches of 64, 50 `epochs`. A batch is half of pairs and half of external documents,
    an epoch as long as the external documents last. That it learns words from both is our reading; the paper says only
    that the setting is that of Pan et al.
    """

    def __init__(self, *, shared: int = 25, reversal: float = 1.0, epochs: int = 50, rate: float = 1e-3) -> None:
        self.shared = shared
        self.reversal = reversal
        self.epochs = epochs
        self.rate = rate

    def fit(
        self,
        vectors: Vectors,
        importance: Importance,
        *,
        external: Vectors,
        external_importance: Importance,
        victims: Vectors,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Self:
        """Learn words from pairs and external documents, and from the victims what a private vector looks like."""
        check_floor("shared", self.shared, 1)
        check_floor("reversal", self.reversal, 0)
        check_floor("epochs", self.epochs, 1)
        check_floor("rate", self.rate, 0)
        vectors = as_labelled(vectors, importance)
        scale = scale_of(vectors)
        check_same_words(importance, external_importance)
        external = as_others(as_weighed(external, external_importance), "external vectors", vectors.shape[1])
        victims = scale * as_others(as_vectors(victims, vectors.shape[1]), "victims")
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits as told
        from torch.optim import Adam

        from vestige.attacks.word_decoder import BATCH, Decoder, Pairs, dense, descend, drawn, keep_best
        from vestige.nn.gradient_reversal import reversed_gradient

        pairs = Pairs.of(scale * vectors, importance.weights, rng)
        decoder = drawn(lambda: Decoder(vectors.shape[1], len(importance.words), self.shared, torch.sigmoid), rng)
        domain = drawn(lambda: torch.nn.Linear(self.shared, 1), rng)
        optimiser = Adam([*decoder.parameters(), *domain.parameters()], lr=self.rate, fused=True)
        whose = torch.repeat_interleave(torch.tensor([0.0, 1.0]), BATCH)[:, None]

        def epoch() -> None:
            for _ in range(-(-len(external) // BATCH)):
                rows, strange, seen = (rng.integers(n, size=BATCH) for n in (pairs.kept, len(external), len(victims)))
                known, weights = pairs.batch(rows)
                elsewhere, private = torch.from_numpy(external[strange]), torch.from_numpy(victims[seen])
                held = torch.cat([weights, dense(external_importance.weights, strange)]) > 0
                words = told(decoder(torch.cat([known, elsewhere])), held.float())
                shared = decoder.features(torch.cat([elsewhere, private]))
                descend(optimiser, words + told(domain(reversed_gradient(shared, self.reversal)), whose))

        keep_best(decoder, pairs, epoch, self.epochs, progress=progress)
        self._learned(decoder, importance, vectors.shape[1], scale)
        return self
