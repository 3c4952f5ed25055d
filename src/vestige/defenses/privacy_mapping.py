"""Privacy-preserving mapping: a network, trained against an adversary, that moves vectors so as to hide a label."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from vestige.checks import check_above, check_choice, check_count
from vestige.defenses.concepts import as_concepts, between_class_directions
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.types import Integers, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

_UNITS = 200
_BATCH = 64
_OFTEN = 5
"""Updates of one player for each update of the other."""
_AHEAD = 200
"""Updates of the adversary before those of the mapping begin, in our recipe."""


class PrivacyMapping(FixedMap):
    """A network of one hidden layer of 200 units, trained against an adversary of 200 units that learns along with it.

    Guarantee: none. It defeats one adversary; another that is fitted on its output may predict the label again.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with one column per keyword.
    Paper: Pan et al., IEEE S&P 2020, Section VII (3) and Appendix C; `fidelity` is their lambda: the higher, the nearer
    vectors stay to the originals and the less is hidden.

    `recipe="pan"` is as published: the map raises the adversary's loss, five updates for each of the adversary's,
    batches of 64 (how long, and at which rate, is not stated). The default differs: the network outputs the
    displacement of a vector; it drives the adversary's guesses to the class frequencies; the adversary starts 200
    updates ahead, then has five updates for one of the map's; distances are squared and in units of the vectors'
    spread; and what a linear classifier could still use is projected out.
    """

    info = DefenseInfo(
        "ppm",
        "ppm:FIDELITY, a network trained against an adversary; needs labels",
        paper="Pan et al. 2020, Section VII",
        needs="labels",
        strength="fidelity",
        strengths=lambda _dimension: (1,),
        recipes=("ppm:recipe=pan",),
        explanation="A network trained against an adversary changes vectors just enough to hide the given labels.",
    )
    learned: ClassVar[tuple[str, ...]] = ("inward_", "inward_bias_", "outward_", "outward_bias_", "directions_")
    inward_: Singles
    inward_bias_: Singles
    outward_: Singles
    outward_bias_: Singles
    directions_: Singles

    def __init__(
        self,
        *,
        fidelity: float = 1.0,
        rounds: int = 300,
        rate: float = 1e-3,
        recipe: Literal["default", "pan"] = "default",
    ) -> None:
        self.fidelity = fidelity
        self.rounds = rounds
        self.rate = rate
        self.recipe = recipe

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_above("fidelity", self.fidelity, 0)
        check_count("rounds", self.rounds, 1)
        check_above("rate", self.rate, 0)
        check_choice("recipe", self.recipe, ("default", "pan"))

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        concepts = as_concepts(labels, len(vectors))
        rules = _Rules(float(self.fidelity), self.rounds, self.rate, published=self.recipe == "pan")
        mean, scale = (np.zeros(1, np.float32), np.float32(1)) if rules.published else _spread(vectors)
        inward, inward_bias, outward, outward_bias = _train(rules, (vectors - mean) * scale, concepts, rng)
        self.inward_, self.inward_bias_ = inward * scale, inward_bias - (inward * scale * mean).sum(axis=1)
        self.outward_, self.outward_bias_ = outward / scale, outward_bias / scale
        self.directions_ = np.zeros((0, vectors.shape[1]), np.float32)
        if not rules.published:
            moved = self._transform_block(vectors)
            self.directions_ = between_class_directions(moved, concepts).astype(np.float32)

    def _transform_block(self, vectors: Vectors) -> Singles:
        hidden = np.maximum(vectors @ self.inward_.T + self.inward_bias_, 0)
        moved: Singles = hidden @ self.outward_.T + self.outward_bias_
        if self.recipe == "default":
            moved = vectors + moved
        along: Singles = moved @ self.directions_.T
        return moved - along @ self.directions_


@dataclass(frozen=True)
class _Rules:
    """The rules of the game between mapping and adversary; `published` are those of Pan et al."""

    fidelity: float
    rounds: int
    rate: float
    published: bool


def _spread(vectors: Vectors) -> tuple[Singles, np.float32]:
    """The mean, and the factor that makes the average variance of a column 1."""
    mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    return mean, np.float32(1 / max(float((vectors - mean).std()), 1e-12))


def _train(rules: _Rules, vectors: Vectors, concepts: Integers, rng: np.random.Generator) -> list[Singles]:
    """Train both players in turn, and return the weights and biases of the mapping's two layers."""
    import torch
    from torch.optim import Adam

    rows, truth = torch.from_numpy(vectors), torch.from_numpy(concepts)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        game = _Game(rules, rows.shape[1], truth)
    adversary = Adam(game.adversary.parameters(), lr=rules.rate)
    mapping = Adam(game.mapping.parameters(), lr=rules.rate if rules.published else rules.rate / _OFTEN)

    def update(loss: "Callable[[Tensor, Tensor], Tensor]", optimiser: "Optimizer", times: int) -> None:
        for _ in range(times):
            drawn = torch.from_numpy(rng.integers(len(rows), size=_BATCH))
            optimiser.zero_grad()
            loss(rows[drawn], truth[drawn]).backward()
            optimiser.step()

    if not rules.published:
        update(game.adversary_loss, adversary, _AHEAD)
    for _ in range(rules.rounds):
        update(game.adversary_loss, adversary, 1 if rules.published else _OFTEN)
        update(game.mapping_loss, mapping, _OFTEN if rules.published else 1)
    return [part.detach().numpy().copy() for part in game.mapping.parameters()]


class _Game:
    """Both networks and their losses."""

    def __init__(self, rules: _Rules, dimension: int, truth: "Tensor") -> None:
        import torch
        from torch.nn import Linear, ReLU, Sequential, Sigmoid

        self.rules = rules
        self.priors = [torch.bincount(column) / len(column) for column in truth.T]
        self.sizes = [len(prior) for prior in self.priors]
        last = Linear(_UNITS, dimension)
        if not rules.published:
            torch.nn.init.zeros_(last.weight)
            torch.nn.init.zeros_(last.bias)
        self.mapping = Sequential(Linear(dimension, _UNITS), ReLU(), last)
        self.adversary = Sequential(Linear(dimension, _UNITS), Sigmoid(), Linear(_UNITS, sum(self.sizes)))

    def adversary_loss(self, batch: "Tensor", truth: "Tensor") -> "Tensor":
        """The adversary predicts the labels."""
        return self._cross_entropy(self._move(batch).detach(), list(truth.T))

    def mapping_loss(self, batch: "Tensor", truth: "Tensor") -> "Tensor":
        """The mapping makes the adversary fail, or in our recipe guess the priors, and keeps vectors in place."""
        import torch

        moved = self._move(batch)
        distance: Tensor
        if self.rules.published:
            revealed = -self._cross_entropy(moved, list(truth.T))
            distance = torch.linalg.vector_norm(moved - batch, dim=1).mean()
        else:
            revealed = self._cross_entropy(moved, [prior.expand(len(batch), -1) for prior in self.priors])
            distance = (moved - batch).square().mean()
        return revealed + self.rules.fidelity * distance

    def _move(self, batch: "Tensor") -> "Tensor":
        """The mapped vectors."""
        output: Tensor = self.mapping(batch)
        return output if self.rules.published else batch + output

    def _cross_entropy(self, moved: "Tensor", expected: "list[Tensor]") -> "Tensor":
        """The cross-entropy of the adversary's guesses: averaged over concepts as published, summed in our recipe.

        The paper hides one concept at a time; the mean gives `fidelity` the same scale for any number of them.
        """
        import torch
        from torch.nn.functional import cross_entropy

        output: Tensor = self.adversary(moved)
        guesses = output.split(self.sizes, dim=1)
        losses = torch.stack([cross_entropy(guess, want) for guess, want in zip(guesses, expected, strict=True)])
        return losses.mean() if self.rules.published else losses.sum()
