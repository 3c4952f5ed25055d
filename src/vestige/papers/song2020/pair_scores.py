"""Membership attacks on one encoder: the scores of pairs and of books, and the advantage they give."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vestige.attacks.membership.neighbours import neighbours
from vestige.attacks.membership.pairs import PairMembership, Recipe, Similarity, mean_by_document
from vestige.case.randomness import stream
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.metrics.membership.advantage import advantage
from vestige.metrics.membership.side import sides
from vestige.metrics.repeated import mean_of_runs
from vestige.papers.record import OURS, PAPER, Line
from vestige.papers.song2020.books import Books, rarity, tenths
from vestige.types import Flags, Floats, Integers, Progress, Score, Vectors, silent

REFERENCE = "ours, beside an encoder of one's own"
LEFT_OUT = "control: ours, the targets left out"
LEFT_OUT_PAPER = "control: the paper's, the targets left out"
SHUFFLED = "control: ours, labels shuffled, ten times"
SHUFFLES = 10
KINDS: tuple[Similarity, ...] = ("fixed", "learned")


@dataclass(frozen=True)
class Asked:
    """What is asked: pairs or books, the book of each, whether it was learned, and in which tenth of rarity it is."""

    books: list[str]
    members: Flags
    tenth: Integers

    def advantage(self, scores: Floats, tenth: int | None, seed: int) -> Score | None:
        """Of all, or of a tenth; None where either side has too few books for an interval."""
        here = np.ones(len(scores), dtype=np.bool_) if tenth is None else self.tenth == tenth
        chosen = [np.flatnonzero(here & (self.members == side)) for side in (True, False)]
        groups = [[self.books[row] for row in rows] for rows in chosen]
        if min(len(set(names)) for names in groups) < FEWEST_DOCUMENTS:
            return None
        ours, theirs = sides(scores[chosen[0]], scores[chosen[1]], member_groups=groups[0], other_groups=groups[1])
        return advantage(ours, theirs, stream(seed, "halves"))


class Contest:
    """An encoder that learned the members, one that did not, and every attack, each run once."""

    def __init__(
        self, books: Books, learned: Vectors, elsewhere: Vectors, *, seed: int, progress: Progress = silent
    ) -> None:
        self.books, self.seed, self.progress = books, seed, progress
        self.learned, self.elsewhere = learned, elsewhere

    def lines(self, tenth: int | None = None) -> Iterator[Line]:
        """A line an attack: pairs by fixed and by learned similarity, then books."""
        for by, scores in self._scores.items():
            pairs = [scores.get(kind, []) for kind in KINDS]
            books = [[mean_by_document(run, self._names) for run in runs] for runs in pairs]
            of_pairs = [self._advantage(self._pairs, runs, tenth) for runs in pairs]
            yield Line(by, (*of_pairs, *(self._advantage(self._wholes, runs, tenth) for runs in books)))

    def _advantage(self, asked: Asked, runs: Sequence[Floats], tenth: int | None) -> Score | None:
        """Of the one run, or the mean over several; None where there is none, or too few books."""
        found = [asked.advantage(scores, tenth, self.seed) for scores in runs]
        told = [score for score in found if score is not None]
        if not told:
            return None
        return told[0] if len(told) == 1 else mean_of_runs(told)

    @cached_property
    def _scores(self) -> dict[str, dict[Similarity, list[Floats]]]:
        """The scores of pairs, by attack and similarity: one run of each, several with shuffled labels."""
        rng = stream(self.seed, "shuffled")
        shuffled = [
            self._attack("learned", "default", self.learned, labels=self._shuffled(rng)) for _ in range(SHUFFLES)
        ]
        return {
            PAPER: {kind: [self._attack(kind, "song", self.learned)] for kind in KINDS},
            OURS: {kind: [self._attack(kind, "default", self.learned)] for kind in KINDS},
            REFERENCE: {"learned": [self._attack("learned", "default", self.learned, reference=self.elsewhere)]},
            LEFT_OUT_PAPER: {kind: [self._attack(kind, "song", self.elsewhere)] for kind in KINDS},
            LEFT_OUT: {kind: [self._attack(kind, "default", self.elsewhere)] for kind in KINDS},
            SHUFFLED: {"learned": shuffled},
        }

    def _attack(
        self,
        similarity: Similarity,
        recipe: Recipe,
        vectors: Vectors,
        *,
        labels: Flags | None = None,
        reference: Vectors | None = None,
    ) -> Floats:
        taught = self.books.taught
        names = [name for name, known in zip(self.books.sentences.documents, taught, strict=True) if known]
        members = self.books.members[taught] if labels is None else labels
        attack = PairMembership(similarity=similarity, recipe=recipe).fit(
            vectors[taught],
            names,
            members.tolist(),
            rng=stream(self.seed, "membership"),
            reference=None if reference is None else reference[taught],
            progress=self.progress,
        )
        beside = None if reference is None else reference[~taught]
        return attack.infer(vectors[~taught], self._names, reference=beside).scores

    def _shuffled(self, rng: np.random.Generator) -> Flags:
        """Labels that say nothing: half of the known books of either side, at random, are called members."""
        taught = np.flatnonzero(self.books.taught)
        called: dict[str, bool] = {}
        for side in (True, False):
            rows = taught[self.books.members[taught] == side]
            names = list(dict.fromkeys(self.books.sentences.documents[row] for row in rows.tolist()))
            called |= {names[place]: turn % 2 == 0 for turn, place in enumerate(rng.permutation(len(names)))}
        return np.array([called[self.books.sentences.documents[row]] for row in taught.tolist()])

    @cached_property
    def _names(self) -> list[str]:
        return self.books.asked.documents

    @cached_property
    def _pairs(self) -> Asked:
        rows = neighbours(self._names)
        return Asked([self._names[row] for row in rows.tolist()], self._members[rows], tenths(self._rarity[0]))

    @cached_property
    def _wholes(self) -> Asked:
        flags: Mapping[str, bool] = dict(zip(self._names, self._members.tolist(), strict=True))
        return Asked(list(flags), np.array(list(flags.values())), tenths(self._rarity[1]))

    @cached_property
    def _members(self) -> Flags:
        return self.books.members[~self.books.taught]

    @cached_property
    def _rarity(self) -> tuple[Floats, Floats]:
        return rarity(self.books.asked)
