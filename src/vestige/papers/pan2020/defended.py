"""Encoders behind a defense (Pan et al. 2020, Section VII): their owner, an adversary unaware of it, and utility."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy.typing as npt

from vestige.case.randomness import stream
from vestige.defend.defended import DefendedEncoder
from vestige.defenses.catalogue import make_defense
from vestige.encoders.memoized import Memoized
from vestige.papers.pan2020.attacks import KeywordAdversary
from vestige.papers.pan2020.setup import DefenseSweep
from vestige.papers.pan2020.table4 import ChangedSentences
from vestige.papers.record import Line
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.types import Score, Vectors
from vestige.utility.mlp_probe import MlpProbe


@dataclass(frozen=True)
class UnawareAdversary(KeywordAdversary):
    """Does not know the defense: learns from undefended vectors and attacks defended ones."""

    behind: Victim

    @property
    def victims(self) -> Vectors:
        """The defended vectors under attack."""
        return self.behind.vectors(self.texts.study.targets)


@dataclass(frozen=True)
class DefendingOwner:
    """Fits the defense: holds the texts under attack, the attributes to hide, and sentences with a word changed."""

    texts: Corpus
    secrets: npt.ArrayLike
    changed: ChangedSentences
    seed: int

    def defend(self, target: Victim, spec: str) -> Victim:
        """The same encoder behind a defense fitted on the owner's own vectors."""
        defense = make_defense(spec)
        pairs = self.changed.vectors(target) if defense.info.needs == "pairs" else None
        defense.fit(target.vectors(self.texts), self.secrets, pairs=pairs, rng=stream(self.seed, f"defense {spec}"))
        return Victim(target.model, DefendedEncoder(target.encoder, defense), target.here, target.progress)


def memoize(target: Victim) -> Victim:
    """The same victim, which encodes no text twice, whatever the defense before it."""
    return Victim(target.model, Memoized(target.encoder), target.here, target.progress)


COLUMNS = (
    "attack, defense unknown to it",
    "attack, fitted on defended vectors",
    "system as it was",
    "system taught on defended vectors",
)
SYSTEM = "a network with 200 sigmoid units"


class DefendedCase(Protocol):
    """One section of Figure 7: texts under attack, their owner, the defenses and the attacks."""

    @property
    def section(self) -> str:
        """The name of the section."""

    @property
    def owner(self) -> DefendingOwner:
        """Who fits the defenses."""

    @property
    def sweeps(self) -> Sequence[DefenseSweep]:
        """The defenses at each strength."""

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""

    def lines(self, target: Victim, behind: Victim) -> Iterator[Line]:
        """The attacks and the downstream system, given an encoder without and behind the defense."""


@dataclass(frozen=True)
class DownstreamSystem:
    """A classifier that the vectors are made for: it learns from `learned` and is tested on the texts under attack."""

    learned: Corpus
    tested: Corpus
    label: str
    seed: int

    def scores(self, target: Victim, behind: Victim) -> tuple[Score, Score]:
        """Accuracy on defended vectors after training on undefended and on defended ones."""
        return self._score(target, behind), self._score(behind, behind)

    def _score(self, taught: Victim, used: Victim) -> Score:
        labels = self.learned.attributes[self.label]
        probe = MlpProbe().fit(taught.vectors(self.learned), labels, rng=stream(self.seed, "probe"))
        return probe.score(
            used.vectors(self.tested),
            self.tested.attributes[self.label],
            rng=stream(self.seed, "bootstrap"),
            documents=self.tested.documents,
        )
