"""An embedding as a noisy mixture of its words' vectors, and the words that a vector is most likely a mixture of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.blocks import blocks
from vestige.attacks.dictionary import Reading
from vestige.attacks.linear_map import LinearMap, ridge_map
from vestige.attacks.linear_words import log_odds_of, whitening_of
from vestige.attacks.sparse_coding import mean_field
from vestige.attacks.sparse_ridge import sparse_ridge
from vestige.types import Integers, Singles, Vectors

SHORTLIST = 150
SWEEPS = 4
WORTH_OF_A_VECTOR = 10
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class WordMixture:
    """`vector = centre + Σ atom / size + noise` over the atoms of a text, `size` the number of its pieces.

    `atoms` are (atoms, d) in the basis where the noise is white (`whitening`); `evidence` and `cost` judge each atom
    alone, to find the few worth a closer look; `log_odds` is what is known before a vector is seen.
    """

    centre: Singles
    whitening: Singles
    atoms: Singles
    evidence: Singles
    cost: Singles
    log_odds: Singles
    log_size: LinearMap

    def scores(self, vectors: Vectors, strengths: Sequence[float]) -> Iterator[tuple[Integers, list[Singles]]]:
        """The likeliest atoms of each vector and their log odds, once for each weight given to the evidence."""
        for block, count in blocks(vectors, _ROWS_AT_ONCE):
            places, scored = self._block(block, strengths)
            yield places[:count], [logits[:count] for logits in scored]

    def _block(self, vectors: Singles, strengths: Sequence[float]) -> tuple[Integers, list[Singles]]:
        import torch

        share = np.exp(-np.maximum(self.log_size(vectors), 0))
        centred = vectors - self.centre
        alone = self.log_odds + share * (centred @ self.evidence) - np.square(share) * self.cost
        places = torch.topk(torch.from_numpy(alone), min(SHORTLIST, len(self.log_odds)), dim=1).indices
        atoms = torch.from_numpy(self.atoms)[places]
        gram = atoms @ atoms.transpose(1, 2)
        correlations = (atoms @ torch.from_numpy(centred @ self.whitening)[:, :, None])[:, :, 0]
        amplitudes = torch.from_numpy(share).expand(-1, places.shape[1])
        log_odds = torch.from_numpy(self.log_odds)[places]
        scored = [
            mean_field(weight * gram, weight * correlations, amplitudes, log_odds, sweeps=SWEEPS).numpy()
            for weight in strengths
        ]
        return places.numpy(), scored


def fit_mixture(vectors: Vectors, reading: Reading, matrix: Singles, kept: Integers, held: Integers) -> WordMixture:
    """Learn how words make vectors: one linear map for all, then a correction for each word that texts bear out.

    The map takes the mean of a text's word vectors to its embedding, so that even a word that no text holds has an
    atom. What it leaves unexplained is shared out among the words by ridge regression: in the atom of a word that n
    texts hold, they outweigh the word matrix about n to `WORTH_OF_A_VECTOR`. The noise is what the map alone leaves,
    since what corrected atoms leave on texts they were fitted to is too little.
    """
    lengths = reading.dictionary.lengths
    sizes = np.maximum(reading.holds @ lengths, 1).astype(np.float32)
    shares = sparse.csr_array(reading.holds.multiply(1 / sizes[:, None])).astype(np.float32)
    word_vectors = reading.dictionary.vectors(matrix)
    forward = ridge_map(np.asarray(shares @ word_vectors), vectors, kept, held)
    residuals = (vectors - forward(np.asarray(shares @ word_vectors)))[kept]
    penalty = WORTH_OF_A_VECTOR * float(np.mean(1 / np.square(sizes[kept])))
    learned = sparse_ridge(shares[kept], residuals, penalty)
    atoms = (word_vectors - lengths[:, None] * forward.centre) @ forward.matrix + learned
    typical = (shares[kept].sum(axis=0) / len(kept)) @ atoms
    centre = vectors[kept].mean(axis=0)
    atoms = (atoms - lengths[:, None] * typical).astype(np.float32)
    inverse = whitening_of(vectors[kept] - centre)
    evidence = (inverse @ inverse.T @ atoms.T).astype(np.float32)
    whitening = whitening_of(residuals)
    counts = np.asarray(reading.holds[kept].sum(axis=0)).ravel()
    return WordMixture(
        centre=centre,
        whitening=whitening,
        atoms=atoms @ whitening,
        evidence=evidence,
        cost=0.5 * (evidence * atoms.T).sum(axis=0),
        log_odds=log_odds_of(counts, len(kept)),
        log_size=ridge_map(vectors, np.log(sizes)[:, None], kept, held),
    )
