"""The choices in a dual encoder's recipe, and the lambdas that set how much of a text its vectors hide."""

from collections.abc import Sequence
from math import inf
from typing import Literal

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

AdversaryKind = Literal["reader", "overlap"]
"""What hides an attribute: "reader", a linear adversary trained together with the encoder (Song and Raghunathan 2020,
Section 7), or "overlap", a penalty on the dependence of the vectors on the attribute."""


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
