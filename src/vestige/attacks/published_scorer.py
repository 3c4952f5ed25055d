"""The linear scorer of words as published (Song and Raghunathan 2020, Equation 8)."""

from typing import TYPE_CHECKING

import numpy as np

from vestige.attacks.linear_words import ScorerTraining, WordScorer, prior_log_odds
from vestige.attacks.training_set import TrainingSet
from vestige.nn.stopping import LossWatch
from vestige.types import Integers, Progress, TrainingLog, silent

if TYPE_CHECKING:
    import torch
    from torch import Tensor

PUBLISHED = ScorerTraining(epochs=30, rate=1e-3, batch=256)


def train_published_scorer(
    pairs: TrainingSet,
    *,
    rng: np.random.Generator,
    device: "torch.device",
    progress: Progress = silent,
    training: ScorerTraining = PUBLISHED,
) -> tuple[WordScorer, TrainingLog]:
    """Song and Raghunathan 2020, Section 6.2: one binary classifier per word, Adam 1e-3, batch 256, 30 epochs.

    The held-out pairs are not learned from; their loss says whether the training has converged.
    """
    import torch

    dimension = pairs.vectors.shape[1]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        model = torch.nn.Linear(dimension, len(pairs.vocabulary)).to(device)
    loss = _ScorerLoss(pairs, model, device)
    optimiser = torch.optim.Adam(model.parameters(), lr=training.rate, fused=True)
    watch, advance = LossWatch(training.epochs), progress("fitting the attack as published", training.epochs)
    for _ in range(training.epochs):
        order = rng.permutation(pairs.train)
        for rows in np.split(order, range(training.batch, len(order), training.batch)):
            loss.set_gradient(rows)
            optimiser.step()
        watch.update(loss.held_out(training.batch))
        advance(1)
    scorer = WordScorer(
        np.zeros(dimension, np.float32),
        np.eye(dimension, dtype=np.float32),
        model.weight.detach().cpu().numpy().T.copy(),
        model.bias.detach().cpu().numpy().copy(),
        prior_log_odds(np.asarray(pairs.labels[pairs.train].sum(axis=0)).ravel(), len(pairs.train)),
    )
    return scorer, watch.log()


class _ScorerLoss:
    """The binary cross-entropy, summed over words, of the mean text. Labels stay sparse; no dense target is made."""

    def __init__(self, pairs: TrainingSet, model: "torch.nn.Linear", device: "torch.device") -> None:
        import torch

        self.pairs, self.model, self.device = pairs, model, device
        self.inputs = torch.from_numpy(pairs.vectors).to(device)

    def set_gradient(self, rows: Integers) -> None:
        """Leave the gradient of a batch in the model: sigmoid minus label."""
        import torch

        inputs = self.inputs[torch.from_numpy(rows)]
        with torch.no_grad():
            error = self.model(inputs).sigmoid_()
            error[self._labels(rows)] -= 1
            error /= len(rows)
            self.model.weight.grad, self.model.bias.grad = error.T @ inputs, error.sum(dim=0)

    def held_out(self, batch: int) -> float:
        """The mean loss of the held-out texts."""
        import torch

        rows, total = self.pairs.held_out, 0.0
        with torch.no_grad():
            for block in np.split(rows, range(batch, len(rows), batch)):
                logits = self.model(self.inputs[torch.from_numpy(block)])
                total += float(torch.nn.functional.softplus(logits).sum() - logits[self._labels(block)].sum())
        return total / len(rows)

    def _labels(self, rows: Integers) -> tuple["Tensor", "Tensor"]:
        import torch

        texts, words = self.pairs.labels[rows].nonzero()
        return torch.from_numpy(texts).long().to(self.device), torch.from_numpy(words).long().to(self.device)
