"""From vectors to a verdict among the encoders of one dimension."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import expit, softmax

from vestige.attacks.fingerprint.network import Network
from vestige.attacks.fingerprint.portrait import Portrait
from vestige.attacks.fingerprint.reasons import reasons_for
from vestige.attacks.fingerprint.traits import lengths
from vestige.types import EncoderGuess, Floats, Vectors

SHARPNESS = 10.0
"""How fast a candidate is given up past its reach: a tenth of a reach is worth one nat."""


class Judgement(Protocol):
    """Knows some encoders whose vectors have equally many columns."""

    @property
    def names(self) -> list[str]:
        """The encoders."""

    def verdict(self, vectors: Vectors) -> EncoderGuess:
        """One for all vectors."""

    def verdicts(self, vectors: Vectors) -> list[str | None]:
        """One a vector."""


@dataclass(frozen=True)
class Open:
    """By portraits: the likeliest, if it fits at all."""

    portraits: Sequence[Portrait]

    @property
    def names(self) -> list[str]:
        """The encoders."""
        return [portrait.name for portrait in self.portraits]

    def verdict(self, vectors: Vectors) -> EncoderGuess:
        """By the median of each trait over the vectors."""
        traits = [np.median(portrait.traits(vectors), axis=0, keepdims=True) for portrait in self.portraits]
        length = lengths(vectors)
        middle = np.log(np.maximum(np.median(length, keepdims=True), 1e-12))
        chances = self._chances(traits, middle, len(vectors))[0]
        order = np.argsort(-chances, kind="stable")
        likeliest = order[0]
        name = self.names[likeliest] if chances[likeliest] > 0.5 else None
        ranked = [(self.portraits[place], traits[place]) for place in order]
        return EncoderGuess(
            name=name,
            candidates=tuple(self.names[place] for place in order),
            probabilities=tuple(float(chances[place]) for place in order),
            reasons=reasons_for(name, ranked, length),
        )

    def verdicts(self, vectors: Vectors) -> list[str | None]:
        """By the traits of each vector."""
        traits = [portrait.traits(vectors) for portrait in self.portraits]
        chances = self._chances(traits, np.log(np.maximum(lengths(vectors), 1e-12)))
        return [self.names[row.argmax()] if row.max(initial=0) > 0.5 else None for row in chances]

    def _chances(self, traits: Sequence[Floats], log_lengths: Floats, vectors: int = 1) -> Floats:
        """(rows, encoders): the share each has of the evidence, among those that fit, times the chance that it fits.

        A blunt portrait never fits well enough to be named.
        """
        pairs = list(zip(self.portraits, traits, strict=True))
        evidence = np.column_stack([portrait.evidence(each, log_lengths) for portrait, each in pairs])
        strangest = np.column_stack([portrait.strangeness(each, vectors).max(axis=1) for portrait, each in pairs])
        blunt = np.array([portrait.blunt for portrait in self.portraits])
        worst = np.where(blunt, np.maximum(strangest, 1 + 1e-9), strangest)
        shares = softmax(np.where(worst <= np.maximum(worst.min(axis=1, keepdims=True), 1), evidence, -np.inf), axis=1)
        return np.asarray(shares * expit(SHARPNESS * (1 - worst)), dtype=np.float64)


@dataclass(frozen=True)
class Closed:
    """By a network that must name one of those it knows."""

    network: Network

    @property
    def names(self) -> list[str]:
        """The encoders."""
        return self.network.names

    def verdict(self, vectors: Vectors) -> EncoderGuess:
        """By the mean of the chances."""
        chances = self.network.chances(vectors).mean(axis=0)
        order = np.argsort(-chances, kind="stable")
        names = tuple(self.names[place] for place in order)
        return EncoderGuess(
            name=names[0],
            candidates=names,
            probabilities=tuple(float(chances[place]) for place in order),
            reasons=(f"Of the encoders with {vectors.shape[1]} columns, the network names {names[0]}.",),
        )

    def verdicts(self, vectors: Vectors) -> list[str | None]:
        """The likeliest for each."""
        return [self.names[place] for place in self.network.chances(vectors).argmax(axis=1)]
