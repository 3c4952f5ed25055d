"""The four defenses of Section VII, each at several strengths."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10


@dataclass(frozen=True)
class Strengths:
    """Points of the curves of Figure 7: decimals kept, epsilon, lambda of the mapping (trained so many rounds), share
    of the directions.

    Then pairs of texts to estimate the sensitivity from, texts that the downstream systems learn from, and how many of
    the models that are here are defended.
    """

    decimals: tuple[int, ...]
    epsilons: tuple[float, ...]
    fidelities: tuple[float, ...]
    rounds: int
    shares: tuple[float, ...]
    changed: int
    system: int
    models: int


@dataclass(frozen=True)
class Sweep:
    """A defense: its strength along the x-axis, and the spec at each of them."""

    name: str
    across: str
    specs: Mapping[float, str]


WRITTEN, BETWEEN = "subspace, as written", "subspace, between the means"


def sweeps(strengths: Strengths) -> tuple[Sweep, ...]:
    """The three that hide anything."""
    mappings = {log10(value): f"ppm:{value:g},rounds={strengths.rounds}" for value in strengths.fidelities}
    return (
        Sweep("rounding", "decimals", {value: f"rounding:{value}" for value in strengths.decimals}),
        Sweep("Laplace", "log10 of epsilon", {log10(value): f"laplace:{value:g}" for value in strengths.epsilons}),
        Sweep("PPM", "log10 of lambda", {at: f"{spec},recipe=pan" for at, spec in mappings.items()}),
        Sweep("PPM, ours", "log10 of lambda", mappings),
    )


def keyword_sweeps(strengths: Strengths) -> tuple[Sweep, ...]:
    """The fourth, which hides keywords: by the scatter around the means, as written, and by that of the means."""
    written = {value: f"subspace:{value:g},scatter=within,norm=true" for value in strengths.shares}
    return Sweep(WRITTEN, "share of the directions", written), Sweep(BETWEEN, "", {0: "subspace"})
