"""One small network per keyword, all trained together: every product is one batched product for all keywords.

vector -> sigmoid layer -> linear layer -> softmax: does the text contain the keyword? From the same sigmoid layer a
second linear layer may predict the domain of the vector, and its gradient is reversed (Pan et al. 2020, Algorithm 1).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from vestige.attacks.keywords.examples import Examples
from vestige.nn.gradient_reversal import reverse_gradient
from vestige.nn.stopping import LossWatch
from vestige.types import Floats, Integers, Progress, TrainingLog, Vectors, silent

CPU = torch.device("cpu")
PUBLISHED_EPOCHS, PUBLISHED_UPDATES = 50, 63
"""Pan et al. train for 50 epochs on 4,000 examples per keyword, in batches of 64."""


@dataclass(frozen=True)
class NetworkTraining:
    """The settings of Pan et al. 2020, Section VI-C; `reversal` is lambda.

    Batches are drawn from all examples of a keyword, and those of the domains from these and the victims together, as
    in the paper; `halves` draws half of each batch from either class, and from either domain. A training ends after
    `epochs`, or earlier: once its loss is at most `enough`, or has not fallen for `patience` epochs.
    """

    epochs: int
    reversal: float = 1.0
    rate: float = 1e-3
    batch: int = 64
    halves: bool = False
    enough: float = 0.0
    patience: int | None = None
    device: torch.device = CPU


class Networks(torch.nn.Module):
    """As many networks, each with `units` in its sigmoid layer."""

    def __init__(self, networks: int, dimension: int, units: int) -> None:
        super().__init__()
        self.hidden = _Linear(networks, dimension, units)
        self.keyword = _Linear(networks, units, 2)
        self.domain = _Linear(networks, units, 2)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """From (networks, n, dimension) to the output of the sigmoid layers and the logits of the keywords."""
        shared = self.hidden(vectors).sigmoid()
        return shared, self.keyword(shared)

    @torch.no_grad()
    def probabilities(self, vectors: Tensor) -> Floats:
        """From (n, dimension) to (n, networks)."""
        given = vectors.to(self.hidden.weight.device)
        logits = self(given.expand(len(self.hidden.weight), *given.shape))[1].cpu()
        found: Floats = (logits[..., 1] - logits[..., 0]).double().sigmoid().T.numpy()
        return found


class _Linear(torch.nn.Module):
    """Several linear layers, initialised as torch initialises one."""

    def __init__(self, layers: int, inputs: int, outputs: int) -> None:
        super().__init__()
        bound = inputs**-0.5
        self.weight = torch.nn.Parameter(torch.empty(layers, inputs, outputs).uniform_(-bound, bound))
        self.bias = torch.nn.Parameter(torch.empty(layers, 1, outputs).uniform_(-bound, bound))

    def forward(self, given: Tensor) -> Tensor:
        return torch.baddbmm(self.bias, given, self.weight)


def init_networks(networks: int, dimension: int, units: int, rng: np.random.Generator) -> Networks:
    """Networks whose weights depend on `rng` alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        return Networks(networks, dimension, units)


class Batches:
    """Draws what the networks learn from: one batch per keyword, and one of both domains."""

    def __init__(self, examples: Examples, victims: Vectors | None, training: NetworkTraining) -> None:
        self.known = torch.from_numpy(examples.vectors).to(training.device)
        self.labels = torch.from_numpy(examples.labels).to(training.device)
        self.foreign = None if victims is None else torch.from_numpy(victims).to(training.device)
        self.rows = [np.flatnonzero(column) for column in examples.counted.T]
        self.sides = examples.sides
        self.training = training

    @property
    def steps(self) -> int:
        """The updates of an epoch, which the keyword with most examples sets."""
        if self.training.halves:
            return -(-2 * max(min(map(len, sides)) for sides in self.sides) // self.training.batch)
        return -(-max(map(len, self.rows)) // self.training.batch)

    def draw(self, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
        """(keywords, batch, dimension) vectors, and whether each contains its keyword."""
        size = self.training.batch
        if self.training.halves:
            chosen = [np.concatenate([_sample(side, size // 2, rng) for side in sides]) for sides in self.sides]
        else:
            chosen = [_sample(rows, size, rng) for rows in self.rows]
        places = torch.from_numpy(np.stack(chosen)).to(self.training.device)
        return self.known[places], self.labels.T.gather(1, places).long()

    def draw_domains(self, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
        """The same of both domains, and whether each vector is a victim's."""
        assert self.foreign is not None
        parts = [self._draw_domain(rows, self.foreign, rng) for rows in self.rows]
        vectors, whose = zip(*parts, strict=True)
        return torch.stack(vectors), torch.stack(whose)

    def _draw_domain(self, rows: Integers, foreign: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
        size = self.training.batch
        if self.training.halves:
            away = np.arange(size) >= size // 2
        else:
            away = rng.integers(len(rows) + len(foreign), size=size) >= len(rows)
        own, other = _sample(rows, int((~away).sum()), rng), rng.integers(len(foreign), size=int(away.sum()))
        vectors = torch.empty(size, self.known.shape[1], device=self.training.device)
        vectors[~away], vectors[away] = self.known[own], foreign[other]
        return vectors, torch.from_numpy(away).long().to(self.training.device)


def _sample(rows: Integers, size: int, rng: np.random.Generator) -> Integers:
    return rows[rng.integers(len(rows), size=size)]


def train_networks(
    networks: Networks,
    examples: Examples,
    training: NetworkTraining,
    *,
    rng: np.random.Generator,
    victims: Vectors | None = None,
    after_epoch: Callable[[Networks], object] = lambda _: None,
    progress: Progress = silent,
) -> TrainingLog:
    """Adam on batches of each keyword; with `victims`, also on as many vectors of both domains.

    The record has the loss of the keywords after each epoch, averaged over its batches.
    """
    networks.to(training.device)
    batches, watch = Batches(examples, victims, training), LossWatch(training.epochs, training.patience)
    optimiser = torch.optim.Adam(networks.parameters(), lr=training.rate, fused=True)
    advance = progress("training the networks", training.epochs)
    over = False
    while not over:
        loss = float(np.mean([_step(networks, batches, optimiser, rng) for _ in range(batches.steps)]))
        over = watch.update(loss) or loss <= training.enough
        after_epoch(networks)
        advance(1)
    return _describe_end(watch, training, batches.steps)


def _step(networks: Networks, batches: Batches, optimiser: torch.optim.Optimizer, rng: np.random.Generator) -> float:
    """One update; the loss of the keywords before it."""
    inputs, truth = batches.draw(rng)
    if batches.foreign is None:
        loss = own = summed_loss(networks(inputs)[1], truth)
    else:
        own, domains = adversarial_losses(
            networks, (inputs, truth), batches.draw_domains(rng), batches.training.reversal
        )
        loss = own + domains
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    return float(own.detach()) / len(truth)


def adversarial_losses(
    networks: Networks, known: tuple[Tensor, Tensor], mixed: tuple[Tensor, Tensor], reversal: float
) -> tuple[Tensor, Tensor]:
    """The loss of the keywords, and that of the domains, whose gradient is reversed before the shared layer."""
    inputs, truth = known
    vectors, whose = mixed
    shared, logits = networks(torch.cat([inputs, vectors], dim=1))
    size = inputs.shape[1]
    found = networks.domain(reverse_gradient(shared[:, size:], reversal))
    return summed_loss(logits[:, :size], truth), summed_loss(found, whose)


def summed_loss(logits: Tensor, truth: Tensor) -> Tensor:
    """Cross-entropy, averaged over each batch and summed over networks."""
    return cross_entropy(logits.reshape(-1, 2), truth.reshape(-1)) * len(logits)


def _describe_end(watch: LossWatch, training: NetworkTraining, steps: int) -> TrainingLog:
    found = watch.log()
    if training.patience is None:
        enough = found.steps * steps >= PUBLISHED_EPOCHS * PUBLISHED_UPDATES
        rule = (
            f"{found.steps} epochs of {steps} updates; long enough with the {PUBLISHED_EPOCHS} of {PUBLISHED_UPDATES} "
            "that the paper has. The curve is the loss on the adversary's own examples"
        )
        return TrainingLog(rule, enough, found.steps, found.curve)
    rule = (
        f"until the training loss is at most {training.enough:g} or has not fallen for {training.patience} epochs, at "
        f"most {training.epochs}"
    )
    return TrainingLog(rule, found.converged or watch.losses[-1] <= training.enough, found.steps, found.curve)
