"""The choices in a dual encoder's recipe, and the lambdas that set how much of a text its vectors hide."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal, get_args

from vestige.checks import check_choice
from vestige.errors import InputError

Architecture = Literal["lstm", "transformer"]

RecipeName = Literal["default", "paper"]

RateDecay = Literal["none", "root", "line"]
"""After the warm-up the learning rate stays constant, decays as 1/sqrt(step), or decays linearly to 0."""

WordStart = Literal["standard", "random", "shared sentences"]
"""Word vectors are initialized as the library does, or at random, longer for rarer words, or likewise but so that words
that share sentences are neighbours."""

Block = Literal["identity", "vaswani"]
"""A Transformer's layer: ours, which is the identity before training, or that of Vaswani et al. 2017."""

AdversaryKind = Literal["linear", "network", "capped", "dependence"]
"""What an encoder is trained against: the published linear classifier, that of the authors' released code with a hidden
layer, a linear one whose loss is capped, or a penalty on the dependence of the vectors on the secret, which needs no
training."""


@dataclass(frozen=True)
class AdversarySettings:
    """An adversary inside the training of an encoder.

    A classifier takes steps of `learning_rate`; the dependence has none. Lambda rises linearly over the first
    `ramp` of the training, so that the encoder has learned its own task before it has to give up what tells words or
    classes; 0 applies all of it from the first step.

    The numbers of a vector are rounded to multiples of `grid`, and noise of that size is added in the training; 0 does
    neither. An encoder hides most easily by making small what tells the secret, and an attacker who knows that can
    enlarge it again, unless it has been rounded away.
    """

    kind: AdversaryKind = "dependence"
    learning_rate: float = 1e-2
    ramp: float = 1.0
    grid: float = 0.1

    def check(self) -> None:
        """Raise unless all settings make sense."""
        check_choice("kind", self.kind, get_args(AdversaryKind))
        if not 0 < self.learning_rate < inf:
            raise InputError(
                f"The 'learning_rate' of an adversary must be above 0. Got {self.learning_rate:g} instead."
            )
        if not 0 <= self.ramp <= 1:
            raise InputError(f"The 'ramp' of an adversary must be a share from 0 to 1. Got {self.ramp:g} instead.")
        if not 0 <= self.grid < inf:
            raise InputError(f"The 'grid' of an adversary must be a number, at least 0. Got {self.grid:g} instead.")

    def share(self, step: int, total: int) -> float:
        """The share of lambda that a step applies, counted from 1."""
        return min(1.0, step / (self.ramp * total)) if self.ramp else 1.0


OUR_ADVERSARY = AdversarySettings()

PUBLISHED_ADVERSARY = AdversarySettings("linear", ramp=0.0, grid=0.0)
"""Song and Raghunathan 2020, Section 7. The paper states neither the learning rate nor a schedule of lambda."""

RELEASED_ADVERSARY = AdversarySettings("network", learning_rate=5e-4, ramp=0.0, grid=0.0)
"""The released code of Song and Raghunathan (github.com/google/embedding-tests): a hidden layer of half the dimension
with ReLU, a fifth of its input and of its hidden layer dropped out, at the learning rate of the LSTM. Its `gamma`
weighs the loss and the reversed gradient, so that lambda is its square."""

ADVERSARIES: dict[AdversaryKind, AdversarySettings] = {
    "linear": PUBLISHED_ADVERSARY,
    "network": RELEASED_ADVERSARY,
    "capped": replace(OUR_ADVERSARY, kind="capped"),
    "dependence": OUR_ADVERSARY,
}


def parse_lambdas(settings: Sequence[str]) -> dict[str, float]:
    """The lambda of each column, from settings such as "author=30"."""
    lambdas: dict[str, float] = {}
    for setting in settings:
        column, strength = _parse_lambda(setting)
        if column in lambdas:
            raise InputError(f"column '{column}' has two lambdas, {lambdas[column]:g} and {strength:g}; give it one")
        lambdas[column] = strength
    return lambdas


def check_lambda(strength: float, of: str) -> None:
    """Raise unless a lambda is a number of at least 0; `of` names what it hides."""
    if not 0 <= strength < inf:
        raise InputError(
            f"the lambda of {of} must be a number, at least 0. Got {strength:g} instead. 0 hides nothing, a higher "
            "lambda hides more"
        )


def _parse_lambda(setting: str) -> tuple[str, float]:
    column, _, value = setting.rpartition("=")
    try:
        strength = float(value)
    except ValueError:
        column = ""
    if not column:
        raise InputError(f"'{setting}' names no column with a number; expected one as in author=30")
    check_lambda(strength, f"column '{column}'")
    return column, strength
