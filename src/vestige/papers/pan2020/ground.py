"""What Figure 7 measures of an encoder behind a defense, and the systems that its vectors are made for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from vestige.case.randomness import stream
from vestige.papers.pan2020.behind import Owner
from vestige.papers.pan2020.strengths import Sweep
from vestige.papers.record import Line
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.types import Score
from vestige.utility.mlp_probe import MlpProbe

COLUMNS = (
    "attack, defense unknown to it",
    "attack, fitted on defended vectors",
    "system as it was",
    "system taught on defended vectors",
)
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
        labels = self.learned.attributes[self.label]
        probe = MlpProbe().fit(taught.vectors(self.learned), labels, rng=stream(self.seed, "probe"))
        return probe.score(
            used.vectors(self.tested),
            self.tested.attributes[self.label],
            rng=stream(self.seed, "bootstrap"),
            documents=self.tested.documents,
        )
