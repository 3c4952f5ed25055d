"""An embedding as a noisy mixture of its words' vectors, and the words that a vector is most likely a mixture of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from vestige.attacks.dictionary import TokenizedTexts
from vestige.attacks.linear_words import prior_log_odds, whitening_matrix
from vestige.attacks.ridge import LinearMap, ridge_map, sparse_ridge
from vestige.attacks.rows import split_blocks
from vestige.types import Integers, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor


SHORTLIST = 150
SWEEPS = 4
MATRIX_WEIGHT = 10
"""The word matrix counts as many texts in the atom of a word."""
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class WordMixture:
    """`vector = centre + Σ atom / size + noise` over the atoms of a text, where `size` is the number of its pieces.

    `atoms` are (atoms, d) in the basis in which the noise is white (`whitening`); `evidence` and `cost` score each atom
    by itself, which gives a shortlist; `log_odds` are those before a vector is seen.
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
        for block, count in split_blocks(vectors, _ROWS_AT_ONCE):
            places, scored = self._block(block, strengths)
            yield places[:count], [logits[:count] for logits in scored]

    def _block(self, vectors: Singles, strengths: Sequence[float]) -> tuple[Integers, list[Singles]]:
        import torch

        share = np.exp(-np.maximum(self.log_size(vectors), 0))
        centred = vectors - self.centre
        single = self.log_odds + share * (centred @ self.evidence) - np.square(share) * self.cost
        places = torch.topk(torch.from_numpy(single), min(SHORTLIST, len(self.log_odds)), dim=1).indices
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


def fit_mixture(
    vectors: Vectors, texts: TokenizedTexts, matrix: Singles, train: Integers, held_out: Integers
) -> WordMixture:
    """Learn how words make vectors: one linear map for all words, then a correction per word that texts support.

    The map takes the mean of a text's word vectors to its embedding, so that even a word that no text contains has an
    atom. Ridge regression distributes the residuals among the words: in the atom of a word that n texts contain, they
    outweigh the word matrix about n to `MATRIX_WEIGHT`. The noise is what the map alone leaves, because corrected atoms
    leave too little on the texts that they were fitted to.
    """
    lengths = texts.dictionary.lengths
    sizes = np.maximum(texts.contains @ lengths, 1).astype(np.float32)
    shares = sparse.csr_array(texts.contains.multiply(1 / sizes[:, None])).astype(np.float32)
    word_vectors = texts.dictionary.vectors(matrix)
    forward = ridge_map(np.asarray(shares @ word_vectors), vectors, train, held_out)
    residuals = (vectors - forward(np.asarray(shares @ word_vectors)))[train]
    penalty = MATRIX_WEIGHT * float(np.mean(1 / np.square(sizes[train])))
    learned = sparse_ridge(shares[train], residuals, penalty)
    atoms = (word_vectors - lengths[:, None] * forward.centre) @ forward.matrix + learned
    typical = (shares[train].sum(axis=0) / len(train)) @ atoms
    centre = vectors[train].mean(axis=0)
    atoms = (atoms - lengths[:, None] * typical).astype(np.float32)
    inverse = whitening_matrix(vectors[train] - centre)
    evidence = (inverse @ inverse.T @ atoms.T).astype(np.float32)
    whitening = whitening_matrix(residuals)
    counts = np.asarray(texts.contains[train].sum(axis=0)).ravel()
    return WordMixture(
        centre=centre,
        whitening=whitening,
        atoms=atoms @ whitening,
        evidence=evidence,
        cost=0.5 * (evidence * atoms.T).sum(axis=0),
        log_odds=prior_log_odds(counts, len(train)),
        log_size=ridge_map(vectors, np.log(sizes)[:, None], train, held_out),
    )


def mean_field(
    gram: "Tensor", correlations: "Tensor", amplitudes: "Tensor", log_odds: "Tensor", *, sweeps: int
) -> "Tensor":
    """The log odds that each atom is part of its target, given how likely the others are.

    The model: target = Σ s·amplitude·atom + noise of unit covariance, s 0 or 1 with prior `log_odds`. Mean-field
    variational inference: each probability in turn is set to what the expectation of all others makes it, `sweeps`
    times; atoms are updated in their order, so put the likeliest first. `gram` is (targets, atoms, atoms), all else
    (targets, atoms); `correlations` are atom·target.
    """
    import torch

    own = gram.diagonal(dim1=1, dim2=2) * amplitudes
    bias = log_odds - 0.5 * own * amplitudes
    expected = log_odds.sigmoid() * amplitudes
    explained = (gram @ expected[:, :, None])[:, :, 0]
    columns = gram.transpose(0, 1).contiguous()
    for _ in range(sweeps):
        for atom in range(gram.shape[1]):
            mine = expected[:, atom]
            amplitude = amplitudes[:, atom]
            rest = correlations[:, atom] - explained[:, atom]
            chance = (bias[:, atom] + amplitude * rest + own[:, atom] * mine).sigmoid_()
            change = chance.mul_(amplitude).sub_(mine)
            explained.addcmul_(columns[atom], change[:, None])
            expected[:, atom] += change
    return torch.addcmul(bias, amplitudes, correlations - explained) + own * expected
