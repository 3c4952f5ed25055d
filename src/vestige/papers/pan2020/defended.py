"""Encoders behind a defense (Pan et al. 2020, Section VII): their owner, an adversary unaware of it, and utility."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

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
from vestige.types import Score, TrainingLog, Vectors
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
class LabelledSentences:
    """Texts, and the attributes to hide: one column per attribute."""

    corpus: Corpus
    secrets: npt.NDArray[Any]

    def only(self, column: int) -> "LabelledSentences":
        """The same texts with one attribute."""
        return LabelledSentences(self.corpus, self.secrets[:, [column]])


@dataclass(frozen=True)
class DefendingOwner:
    """Fits a defense on labelled texts of its own, which are not under attack, and on sentences with a word changed.

    Fitted `on_targets`, on the very texts that are scored, a defense that uses labels knows them by heart. That is not
    what an owner can do for texts to come; it is shown for comparison.
    """

    own: LabelledSentences
    targets: LabelledSentences
    changed: ChangedSentences
    seed: int

    def defend(self, target: Victim, spec: str, *, on_targets: bool = False) -> Victim:
        """The same encoder behind a defense."""
        defense, known = make_defense(spec), self.targets if on_targets else self.own
        pairs = self.changed.vectors(target) if defense.info.needs == "pairs" else None
        rng = stream(self.seed, f"defense {spec}")
        defense.fit(target.vectors(known.corpus), known.secrets, pairs=pairs, rng=rng)
        return Victim(target.model, DefendedEncoder(target.encoder, defense), target.here, target.progress)

    def defend_on_targets(self, target: Victim, spec: str) -> Victim | None:
        """The same behind a defense fitted on the targets; None for a defense that uses no labels."""
        return self.defend(target, spec, on_targets=True) if make_defense(spec).info.needs == "labels" else None

    def only(self, column: int) -> "DefendingOwner":
        """An owner who hides one attribute."""
        return replace(self, own=self.own.only(column), targets=self.targets.only(column))


def memoize(target: Victim) -> Victim:
    """The same victim, which encodes no text twice, whatever the defense before it."""
    return Victim(target.model, Memoized(target.encoder), target.here, target.progress)


COLUMNS = (
    "attack, defense unknown to it",
    "attack, fitted on defended vectors",
    "the first, defense fitted on the targets",
    "the second, defense fitted on the targets",
    "system as it was",
    "system taught on defended vectors",
)
SYSTEM = "a network with 200 sigmoid units"
MOST_CLASSES = 10


@dataclass(frozen=True)
class DefendedVictims:
    """An encoder without a defense, behind one that was fitted on other texts, and behind one fitted on the targets."""

    plain: Victim
    behind: Victim
    on_targets: Victim | None


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

    def lines(self, victims: DefendedVictims) -> Iterator[Line]:
        """The attacks and the downstream system."""

    def lines_of_sweep(self, sweep: DefenseSweep, spec: str, target: Victim) -> Iterator[Line]:
        """The same, behind a defense of a sweep."""


def lines_behind(case: DefendedCase, spec: str, target: Victim) -> Iterator[Line]:
    """The attacks and the downstream system behind a defense that hides everything at once."""
    behind, on_targets = case.owner.defend(target, spec), case.owner.defend_on_targets(target, spec)
    return case.lines(DefendedVictims(target, behind, on_targets))


@dataclass(frozen=True)
class SystemScores:
    """The accuracy of a system as it was, and of one that was taught on defended vectors; how their trainings ended."""

    as_it_was: Score
    taught_again: Score
    logs: tuple[TrainingLog, ...]

    @property
    def both(self) -> tuple[Score, Score]:
        """The two columns of Figure 7."""
        return self.as_it_was, self.taught_again


@dataclass(frozen=True)
class DownstreamSystem:
    """A classifier that the vectors are made for: it learns from `learned` and is tested on the texts under attack.

    It separates the ten most frequent labels of the texts it learns from; texts with another or no label are left out.
    """

    learned: Corpus
    tested: Corpus
    label: str
    seed: int

    @cached_property
    def classes(self) -> frozenset[str]:
        """The labels that it separates."""
        counts = Counter(label for label in self.learned.attributes[self.label] if label)
        return frozenset(label for label, _ in counts.most_common(MOST_CLASSES))

    def scores(self, target: Victim, behind: Victim) -> SystemScores:
        """Accuracy on defended vectors after training on undefended and on defended ones."""
        before, again = self._score(target, behind), self._score(behind, behind)
        return SystemScores(before[0], again[0], tuple(dict.fromkeys((before[1], again[1]))))

    def _score(self, taught: Victim, used: Victim) -> tuple[Score, TrainingLog]:
        learned, tested = self._select(self.learned), self._select(self.tested)
        labels = self.learned.take(learned).attributes[self.label]
        probe = MlpProbe().fit(taught.vectors(self.learned)[learned], labels, rng=stream(self.seed, "probe"))
        scored = self.tested.take(tested)
        score = probe.score(
            used.vectors(self.tested)[tested],
            scored.attributes[self.label],
            rng=stream(self.seed, "bootstrap"),
            documents=scored.documents,
        )
        return score, probe.log_

    def _select(self, corpus: Corpus) -> list[int]:
        return [row for row, label in enumerate(corpus.attributes[self.label]) if label in self.classes]
