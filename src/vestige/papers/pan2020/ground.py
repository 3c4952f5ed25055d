"""What Figure 7 measures of an encoder behind a defense, and the systems that its vectors are made for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vestige.audit.randomness import stream
from vestige.papers.pan2020.behind import Owner
from vestige.papers.pan2020.strengths import Sweep
from vestige.papers.record import Line
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.types import Flags, Score, Vectors
from vestige.utility.mlp_probe import MlpProbe

COLUMNS = (
    "attack, defense unknown to it",
    "attack, fitted on defended vectors",
    "system as it was",
    "system taught on defended vectors",
)
DEAD = 1e-4
"""Of the largest spread of a column: below it there is nothing but rounding."""

SYSTEM = "a network with 200 sigmoid units"


class Ground(Protocol):
    """Texts under attack with their owner, the defenses that are tried on them, and the attacks."""

    @property
    def section(self) -> str:
        """What the paper calls it."""

    @property
    def owner(self) -> Owner:
        """Who defends."""

    @property
    def sweeps(self) -> Sequence[Sweep]:
        """The defenses."""

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are asked for."""

    def lines(self, target: Victim, behind: Victim) -> Iterator[Line]:
        """The attacks and the system, on an encoder and on the same behind a defense."""


@dataclass(frozen=True)
class System:
    """Labelled texts to learn from, and to be tested on: those under attack."""

    learned: Corpus
    tested: Corpus
    label: str
    seed: int

    def scores(self, target: Victim, behind: Victim) -> tuple[Score, Score]:
        """Accuracy on defended vectors: learned without the defense, and with it."""
        return self._score(target, behind), self._score(behind, behind)

    def _score(self, taught: Victim, used: Victim) -> Score:
        vectors = taught.vectors(self.learned)
        columns = living(vectors)
        probe = MlpProbe().fit(vectors[:, columns], self.learned.attributes[self.label], rng=stream(self.seed, "probe"))
        return probe.score(
            used.vectors(self.tested)[:, columns],
            self.tested.attributes[self.label],
            rng=stream(self.seed, "bootstrap"),
            documents=self.tested.documents,
        )


def living(vectors: Vectors) -> Flags:
    """The columns that tell texts apart; all, where none does.

    Three of MiniLM's 384 hold rounding errors (1e-33, 1e-9). A system that gives all columns the same spread stretches
    these as well, and the least noise in them then drowns all others: it would be the dead columns that cost its use.
    """
    spread = vectors.std(axis=0, dtype=np.float64)
    return np.asarray(spread >= DEAD * spread.max())
