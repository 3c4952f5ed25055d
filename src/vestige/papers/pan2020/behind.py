"""An encoder behind a defense, and an adversary who does not know of it."""

from dataclasses import dataclass

import numpy.typing as npt

from vestige.case.randomness import stream
from vestige.defend.defended import Defended
from vestige.defenses.catalogue import make_defense
from vestige.encoders.remembering import Remembering
from vestige.papers.pan2020.adversary import Adversary
from vestige.papers.pan2020.sensitivity import Changed
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.types import Vectors


@dataclass(frozen=True)
class Unaware(Adversary):
    """Learns from vectors without the defense; the victims' are behind it."""

    behind: Victim

    @property
    def victims(self) -> Vectors:
        """The vectors under attack, defended."""
        return self.behind.vectors(self.texts.study.targets)


@dataclass(frozen=True)
class Owner:
    """Who defends: holds the texts under attack, what is to be hidden in them, and texts with a word changed."""

    texts: Corpus
    secrets: npt.ArrayLike
    changed: Changed
    seed: int

    def defended(self, target: Victim, spec: str) -> Victim:
        """The same encoder behind a defense that was fitted on the owner's own vectors."""
        defense = make_defense(spec)
        pairs = self.changed.vectors(target) if defense.needs == "pairs" else None
        defense.fit(target.vectors(self.texts), self.secrets, pairs=pairs, rng=stream(self.seed, f"defense {spec}"))
        return Victim(target.model, Defended(target.encoder, defense), target.here, target.progress)


def asked_once(target: Victim) -> Victim:
    """The same, no text being encoded twice, whatever defense stands before it."""
    return Victim(target.model, Remembering(target.encoder), target.here, target.progress)
