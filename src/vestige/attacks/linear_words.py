"""Linear scorers of words: vectors in, one logit per word out. There are two ways to fit one.

`fit_discriminant` is a closed form: Gaussian classes with one shared covariance, the linear discriminant of Fisher
(1936), the covariance shrunk as in Ledoit and Wolf (2004). `refine_scorer` improves a scorer by a few epochs of Adam on
the loss of Song and Raghunathan 2020, Equation 8.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.nn.device import Device, choose_device
from vestige.types import Floats, Progress, Singles, Vectors, silent

LARGEST_SHARE = 0.9
SMALLEST_WITHIN = 0.25


@dataclass(frozen=True)
class ScorerTraining:
    """How a scorer is trained by gradient steps."""

    epochs: int
    rate: float
    batch: int


REFINING = ScorerTraining(epochs=2, rate=1e-2, batch=512)


@dataclass(frozen=True)
class WordScorer:
    """`logits(x) = (x - mean) @ whitening @ weights + bias`; `log_odds` would be the bias without evidence."""

    mean: Singles
    whitening: Singles
    weights: Singles
    bias: Singles
    log_odds: Singles

    def whitened(self, vectors: Vectors) -> Singles:
        """The vectors in coordinates of equal variance, in which one step size suits every direction."""
        return np.asarray((vectors - self.mean) @ self.whitening, dtype=np.float32)

    def logits(self, vectors: Vectors, strength: float = 1.0) -> Singles:
        """One logit per text and word; `strength` 0 leaves only the log odds, 1 takes the evidence as fitted."""
        evidence = self.whitened(vectors) @ self.weights + (self.bias - self.log_odds)
        return np.float32(strength) * evidence + self.log_odds


def fit_discriminant(vectors: Vectors, labels: sparse.csr_array) -> WordScorer:
    """In closed form: texts with word w against texts without it, as two Gaussians with one covariance.

    Written with the covariance of all texts, which serves every word at once. Let z be a text whitened by it, m the
    mean of z over the share p of texts with the word, r = p / (1 - p). The other texts have mean -r·m, the covariance
    within is 1 - r·m·mᵀ, its inverse follows from Sherman and Morrison, and the logit is

        m·z / ((1 - p)·D) - |m|²·(1 - 2p) / (2·(1 - p)²·D) + log r,   D = 1 - r·|m|²,

    which for a rare word is m·z - |m|²/2 + log odds. Noise lengthens the mean of a rare word and so lowers its logit by
    itself; no other penalty is needed. D has a floor, because with few texts noise could make it vanish.
    """
    mean = vectors.mean(axis=0)
    centred = vectors - mean
    whitening = whitening_matrix(centred)
    counts = np.asarray(labels.sum(axis=0)).ravel()
    means = (labels.T @ (centred @ whitening)) / (counts[:, None] + 0.5)
    log_odds = prior_log_odds(counts, len(vectors))
    share = np.minimum(counts / len(vectors), LARGEST_SHARE)
    length = np.square(means).sum(axis=1)
    within = np.maximum(1 - share / (1 - share) * length, SMALLEST_WITHIN)
    bias = log_odds - length * (1 - 2 * share) / (2 * (1 - share) ** 2 * within)
    weights = means / ((1 - share) * within)[:, None]
    return WordScorer(mean, whitening, np.ascontiguousarray(weights.T, np.float32), bias.astype(np.float32), log_odds)


def refine_scorer(
    start: WordScorer,
    vectors: Vectors,
    labels: sparse.csr_array,
    *,
    rng: np.random.Generator,
    progress: Progress = silent,
    training: ScorerTraining = REFINING,
    device: Device = "cpu",
) -> WordScorer:
    """Adam on the binary cross-entropy, with a step size that falls to zero.

    The gradient is written out: sigmoid minus label. Labels stay sparse; no dense target, loss or graph is made.
    """
    import torch

    place = choose_device(device)
    whitened = torch.from_numpy(start.whitened(vectors)).to(place)
    weights = torch.nn.Parameter(torch.from_numpy(start.weights.copy()).to(place))
    bias = torch.nn.Parameter(torch.from_numpy(start.bias.copy()).to(place))
    steps = training.epochs * -(-len(vectors) // training.batch)
    optimiser = torch.optim.Adam([weights, bias], lr=training.rate, fused=True)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, total_iters=steps)
    advance = progress("fitting the attack", steps)
    for _ in range(training.epochs):
        order = rng.permutation(len(vectors))
        for rows in np.split(order, range(training.batch, len(order), training.batch)):
            inputs = whitened[torch.from_numpy(rows)]
            with torch.no_grad():
                error = torch.addmm(bias, inputs, weights).sigmoid_()
                texts, words = labels[rows].nonzero()
                error[torch.from_numpy(texts).long().to(place), torch.from_numpy(words).long().to(place)] -= 1
                error /= len(rows)
                weights.grad, bias.grad = inputs.T @ error, error.sum(dim=0)
            optimiser.step()
            schedule.step()
            advance(1)
    refined = weights.detach().cpu().numpy(), bias.detach().cpu().numpy()
    return WordScorer(start.mean, start.whitening, *refined, start.log_odds)


def whitening_matrix(centred: Vectors) -> Singles:
    """Coordinates in which centred rows have unit variance in every direction; directions without variance are dropped.

    With fewer rows than columns, the matrix of their dot products has the same eigenvalues and is the smaller one;
    every direction outside the span of the rows has the variance that the shrinkage gives it.
    """
    from sklearn.covariance import ledoit_wolf_shrinkage

    rows, columns = centred.shape
    shrinkage = float(ledoit_wolf_shrinkage(centred, assume_centered=True))
    outside = shrinkage * float(np.square(centred, dtype=np.float64).sum()) / (rows * columns)
    few = rows < columns
    products = (centred @ centred.T if few else centred.T @ centred).astype(np.float64) / rows
    values, directions = np.linalg.eigh(products)
    values = np.maximum(values, 0)
    least = 1e-12 * values.max(initial=0)
    scale = _inverse_root((1 - shrinkage) * values + outside, least)
    if not few:
        return np.asarray(directions * scale, dtype=np.float32)
    spanning = values > max(least, 1e-7 * values.max(initial=0))
    spanned = centred.T @ (directions[:, spanning] / np.sqrt(rows * values[spanning]))
    beyond = _inverse_root(np.array([outside]), least)[0]
    within = spanned * (scale[spanning] - beyond)
    return np.asarray(within @ spanned.T + beyond * np.eye(columns), dtype=np.float32)


def _inverse_root(variances: Floats, least: float) -> Floats:
    return np.divide(1, np.sqrt(variances), out=np.zeros_like(variances), where=variances > least)


def prior_log_odds(counts: Floats | Singles, texts: int) -> Singles:
    """The log odds of each word before a vector is seen, by the number of texts with it.

    Half a text is added to either side.
    """
    return np.asarray(np.log((counts + 0.5) / (texts - counts + 0.5)), dtype=np.float32)
