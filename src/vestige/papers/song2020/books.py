"""Books for Figure 5, and the membership attacks on their sentence pairs (Song and Raghunathan 2020, Section 6.4).

Some books train the encoder under attack, some do not; the adversary knows this of a tenth of them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from vestige.attacks.membership.neighbours import find_neighbours
from vestige.attacks.membership.pairs import PairMembership, Recipe, Similarity, mean_by_document
from vestige.attacks.membership.similarity import EPOCHS
from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS, mean_of_runs
from vestige.metrics.membership.advantage import advantage
from vestige.metrics.membership.grouped_scores import group_scores
from vestige.papers.public_text import first_available
from vestige.papers.record import CLOSED_FORM, OURS, PAPER, Line
from vestige.papers.run import PaperRun
from vestige.papers.song2020.setup import SongSizes
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Flags, Floats, Integers, Progress, Score, TrainingLog, Vectors, silent

REFERENCE = "ours, beside an encoder of one's own"
LEFT_OUT = "control: ours, the targets left out"
LEFT_OUT_PAPER = "control: the paper's, the targets left out"
SHUFFLED = "control: ours, labels shuffled, ten times"
SHUFFLES = 10
KINDS: tuple[Similarity, ...] = ("fixed", "learned")
LABELLED = 0.1


@dataclass(frozen=True)
class Books:
    """Books that train the encoder under attack (`study`), and books that train the encoder of the control instead.

    `sentences` belong to the candidate books, half of which are in `study`. `members` marks the sentences of those
    books, `labelled` the sentences of which the adversary knows it.
    """

    study: Corpus
    control: Corpus
    sentences: Corpus
    members: Flags
    labelled: Flags

    @property
    def candidates(self) -> Corpus:
        """The sentences whose membership the adversary infers."""
        return self.sentences.take(np.flatnonzero(~self.labelled).tolist())


@dataclass(frozen=True)
class MembershipCandidates:
    """Pairs or books: the book of each, whether it was learned, and its tenth by rarity."""

    books: list[str]
    members: Flags
    tenth: Integers

    def advantage(self, scores: Floats, tenth: int | None, seed: int) -> Score | None:
        """The advantage over all, or over a tenth; None where either side has too few books for an interval."""
        here = np.ones(len(scores), dtype=np.bool_) if tenth is None else self.tenth == tenth
        chosen = [np.flatnonzero(here & (self.members == side)) for side in (True, False)]
        groups = [[self.books[row] for row in rows] for rows in chosen]
        if min(len(set(names)) for names in groups) < FEWEST_DOCUMENTS:
            return None
        ours, theirs = group_scores(
            scores[chosen[0]], scores[chosen[1]], member_groups=groups[0], other_groups=groups[1]
        )
        return advantage(ours, theirs, stream(seed, "halves"))


@dataclass(frozen=True)
class PairScores:
    """The scores of all pairs by one attack, and how its training ended."""

    values: Floats
    log: TrainingLog


class BookMembership:
    """Every attack on an encoder that learned the members, and on one that did not (`control`); each runs once.

    The similarity as published is learned for so many `epochs`.
    """

    def __init__(
        self,
        books: Books,
        learned: Vectors,
        control: Vectors,
        *,
        seed: int,
        epochs: int = EPOCHS,
        progress: Progress = silent,
    ) -> None:
        self.books, self.seed, self.epochs, self.progress = books, seed, epochs, progress
        self.learned, self.control = learned, control

    def lines(self, tenth: int | None = None) -> Iterator[Line]:
        """One line per attack: pairs by fixed and by learned similarity, then books."""
        for by, scores in self._scores.items():
            pairs = [[run.values for run in scores.get(kind, [])] for kind in KINDS]
            books = [[mean_by_document(run, self._names) for run in runs] for runs in pairs]
            of_pairs = [self._advantage(self._pairs, runs, tenth) for runs in pairs]
            of_books = [self._advantage(self._wholes, runs, tenth) for runs in books]
            logs = dict.fromkeys(run.log for runs in scores.values() for run in runs)
            yield Line(by, (*of_pairs, *of_books), tuple(logs))

    def _advantage(self, candidates: MembershipCandidates, runs: Sequence[Floats], tenth: int | None) -> Score | None:
        """The advantage of one run, or the mean over several; None without a run, or with too few books."""
        scored = [candidates.advantage(scores, tenth, self.seed) for scores in runs]
        advantages = [score for score in scored if score is not None]
        if not advantages:
            return None
        return advantages[0] if len(advantages) == 1 else mean_of_runs(advantages)

    @cached_property
    def _scores(self) -> dict[str, dict[Similarity, list[PairScores]]]:
        """The scores of pairs, by attack and similarity: one run of each, several with shuffled labels."""
        rng = stream(self.seed, "shuffled")
        shuffled = [
            self._attack("learned", "default", self.learned, labels=self._shuffled(rng)) for _ in range(SHUFFLES)
        ]
        return {
            PAPER: {kind: [self._attack(kind, "song", self.learned)] for kind in KINDS},
            OURS: {kind: [self._attack(kind, "default", self.learned)] for kind in KINDS},
            REFERENCE: {"learned": [self._attack("learned", "default", self.learned, reference=self.control)]},
            LEFT_OUT_PAPER: {kind: [self._attack(kind, "song", self.control)] for kind in KINDS},
            LEFT_OUT: {kind: [self._attack(kind, "default", self.control)] for kind in KINDS},
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
    ) -> PairScores:
        labelled = self.books.labelled
        names = [name for name, known in zip(self.books.sentences.documents, labelled, strict=True) if known]
        members = self.books.members[labelled] if labels is None else labels
        attack = PairMembership(similarity=similarity, recipe=recipe, epochs=self.epochs).fit(
            vectors[labelled],
            names,
            members.tolist(),
            rng=stream(self.seed, "membership"),
            reference=None if reference is None else reference[labelled],
            progress=self.progress,
        )
        reference_targets = None if reference is None else reference[~labelled]
        guesses = attack.infer(vectors[~labelled], self._names, reference=reference_targets)
        return PairScores(guesses.scores, attack.log_ or CLOSED_FORM)

    def _shuffled(self, rng: np.random.Generator) -> Flags:
        """Labels without information: a random half of the labelled books of either side counts as members."""
        labelled = np.flatnonzero(self.books.labelled)
        marked: dict[str, bool] = {}
        for side in (True, False):
            rows = labelled[self.books.members[labelled] == side]
            names = list(dict.fromkeys(self.books.sentences.documents[row] for row in rows.tolist()))
            marked |= {names[place]: turn % 2 == 0 for turn, place in enumerate(rng.permutation(len(names)))}
        return np.array([marked[self.books.sentences.documents[row]] for row in labelled.tolist()])

    @cached_property
    def _names(self) -> list[str]:
        return self.books.candidates.documents

    @cached_property
    def _pairs(self) -> MembershipCandidates:
        rows = find_neighbours(self._names)
        return MembershipCandidates(
            [self._names[row] for row in rows.tolist()], self._members[rows], tenths(self._rarity[0])
        )

    @cached_property
    def _wholes(self) -> MembershipCandidates:
        flags: Mapping[str, bool] = dict(zip(self._names, self._members.tolist(), strict=True))
        return MembershipCandidates(list(flags), np.array(list(flags.values())), tenths(self._rarity[1]))

    @cached_property
    def _members(self) -> Flags:
        return self.books.members[~self.books.labelled]

    @cached_property
    def _rarity(self) -> tuple[Floats, Floats]:
        return rarity(self.books.candidates)


def read_books(run: PaperRun[SongSizes]) -> Books:
    """Three parts of equal size without copies: learned, not learned, and learned by the control."""
    sizes = run.sizes
    own = load_corpus(sizes.corpus or first_available("imdb", "complaints"))
    own = own.take(_long(own, sizes.pages))
    rng = stream(run.seed, "books")
    if len(own) < 3 * sizes.books:
        raise InputError(
            f"{own.name} has {len(own)} texts of {sizes.pages} sentences; figure5 needs {3 * sizes.books}; "
            "name a larger corpus, or a smaller scale"
        )
    order = rng.permutation(len(own))[: 3 * sizes.books].reshape(3, -1)
    learned, unlearned, control = (own.take(sorted(part.tolist())) for part in order)
    sentences = own.take(sorted(order[:2].ravel().tolist())).sentences()
    inside = set(learned.documents)
    known = set(_tenth(learned, rng) + _tenth(unlearned, rng))
    members, labelled = (np.array([name in side for name in sentences.documents]) for side in (inside, known))
    return Books(learned, control, sentences, members, labelled)


def rarity(sentences: Corpus) -> tuple[Floats, Floats]:
    """The rarity of each pair and of each book: minus the average count of its words in all sentences."""
    read = [words(text) for text in sentences.texts]
    counts = Counter(word for text in read for word in text)
    means = np.array([np.mean([counts[word] for word in text]) if text else 0.0 for text in read])
    rows = find_neighbours(sentences.documents)
    books = [
        np.mean([mean for _, mean in group])
        for _, group in groupby(zip(sentences.documents, means, strict=True), key=lambda row: row[0])
    ]
    return -(means[rows] + means[rows + 1]) / 2, -np.array(books)


def tenths(values: Floats, count: int = 10) -> Integers:
    """The tenth of each value, from 1 to 10; equal values by their order."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return (ranks * count // len(values) + 1).astype(np.int64)


def _long(corpus: Corpus, fewest: int) -> list[int]:
    """The rows with at least so many sentences; of equal texts the first."""
    counts = Counter(corpus.sentences().documents)
    first = {text: row for row, text in reversed(list(enumerate(corpus.texts)))}
    return sorted(row for row in first.values() if counts[corpus.documents[row]] >= fewest)


def _tenth(corpus: Corpus, rng: np.random.Generator) -> list[str]:
    count = max(2, round(LABELLED * len(corpus)))
    return [corpus.documents[row] for row in rng.permutation(len(corpus))[:count]]
