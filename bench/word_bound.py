"""What words any map leaks that preserves neighbours, to an attacker who sees only the lists of the ten nearest rows.

MiniLM, the case of an audit: 1,000 targets, and 8,000 known rows of other documents, whose texts the attacker has. A
map with a recall@10 of R changes one in 1 - R of the neighbours in these lists. Three figures per recall, as F1 over
guessing:

- vote: the words that enough neighbours contain, if the neighbours that are lost are random;
- centroid: the attacker encodes the known texts with the public encoder, and attacks the mean vector of the neighbours,
  as it learned on known rows; the lost ones are random, too;
- at least: a lower bound for every map of that recall. It exchanges whichever neighbours hurt the vote most, in any
  target, for any known texts. How many neighbours are enough, and the price of an exchange at which the bound is
  evaluated, are chosen on known rows, so the interval is that of other targets.

The control has the lists of other targets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from scipy import sparse

from bench.adapter import CACHE
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.priors import FixedWords
from vestige.case.case import Auxiliary, Case
from vestige.case.inputs import read_inputs
from vestige.case.prepare import CasePlan, plan_case
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.metrics.word_recovery import word_recovery
from vestige.text.corpora import load_corpus
from vestige.text.words import content_words
from vestige.types import Floats, Integers, Score, Vectors, silent
from vestige.utility.neighbour_bound import WordVote, find_neighbours, find_price, least_left

LOST = (0.0, 0.02, 0.05, 0.1, 0.15, 0.3)
BY_CENTROID = (0.0, 0.1)
NEAREST = 10
CERTAINTIES, MARGINS, CHOSEN_ON = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4), (0, 1, 2), 300
"""How probable a word must be to be guessed, how many more neighbours than that takes, and how many rows decide."""


@dataclass(frozen=True, eq=False)
class Strategy:
    """A vote, and what is left of its score after exchanges: of some known rows, and of all targets."""

    vote: WordVote
    lists: "Lists"

    @cached_property
    def known_curves(self) -> Floats:
        """On the known rows that decide between strategies."""
        rows = np.linspace(0, len(self.lists.own) - 1, CHOSEN_ON, dtype=int)
        return self.vote.curve(self.lists.own[rows], self.lists.table[rows])

    @cached_property
    def curves(self) -> Floats:
        """On the targets."""
        return self.vote.curve(self.lists.near, self.lists.tabulate(self.lists.truth))

    def evaluate(self, lost: float) -> tuple[float, float]:
        """What is left on the known rows, and the price of an exchange."""
        price = find_price(self.known_curves, lost)
        return float(least_left(self.known_curves, lost, price).mean()), price


class Lists:
    """The case as lists of neighbours: of the targets, and of known rows in other documents."""

    def __init__(self, case: Case) -> None:
        assert case.truth is not None
        self.known: Auxiliary = case.auxiliary["same-domain"]
        self.truth = [content_words(text) for text in case.truth.texts]
        self.texts = [content_words(text) for text in self.known.texts]
        self.near = find_neighbours(case.targets, self.known.vectors, NEAREST)
        both = self.known.documents, self.known.documents
        self.own = find_neighbours(self.known.vectors, self.known.vectors, NEAREST, documents=both)
        self.prior = word_recovery(FixedWords().fit(self.known.texts).infer(case.targets).sets, self.truth).f1
        self.scorer = Scorer(case.truth.documents, 0)

    @cached_property
    def words(self) -> list[str]:
        """The columns of all tables."""
        return sorted({word for text in (*self.texts, *self.truth) for word in text})

    @cached_property
    def table(self) -> sparse.csr_array:
        """Known texts by words."""
        return self.tabulate(self.texts)

    def tabulate(self, texts: Sequence[frozenset[str]]) -> sparse.csr_array:
        """A row of ones and zeros per text."""
        place = {word: column for column, word in enumerate(self.words)}
        columns = [place[word] for text in texts for word in sorted(text)]
        starts = np.cumsum([0, *map(len, texts)])
        return sparse.csr_array((np.ones(len(columns), np.int32), columns, starts), (len(texts), len(self.words)))

    def score(self, vote: WordVote, near: Integers) -> Floats:
        """The F1 of every target."""
        words = np.array(self.words)
        return word_recovery([frozenset(words[row].tolist()) for row in vote.guess(near)], self.truth).f1

    @cached_property
    def strategies(self) -> list[Strategy]:
        """Every vote that is tried."""
        found = []
        for certainty, margin in product(CERTAINTIES, MARGINS):
            vote = WordVote.learn(self.table, self.own, certainty)
            more = np.minimum(vote.thresholds + margin, NEAREST + 1)
            found.append(Strategy(WordVote(vote.table, more), self))
        return found

    def choose(self, lost: float) -> Strategy:
        """The vote that keeps most of its score on known rows."""
        return max(self.strategies, key=lambda each: each.evaluate(lost)[0])

    def bound(self, lost: float) -> Floats:
        """What every map leaves at least, target by target."""
        chosen = self.choose(lost)
        return least_left(chosen.curves, lost, chosen.evaluate(lost)[1])


def run() -> Iterator[str]:
    """Complaints."""
    yield from _run("complaints")


def run_reviews() -> Iterator[str]:
    """Movie reviews, from VESTIGE_DATA."""
    yield from _run("imdb")


def _run(corpus: str) -> Iterator[str]:
    lists = Lists(_read(corpus))
    yield f"{corpus}: {len(lists.near)} targets, {len(lists.own)} known rows"
    open_vote = lists.choose(0.0).vote
    control = lists.score(open_vote, np.roll(lists.near, len(lists.near) // 2, axis=0))
    yield f"control: vote {_cell(lists.scorer.gain(control - lists.prior))}"
    for lost in LOST:
        drawn = lists.score(open_vote, lose(lists.near, len(lists.own), lost))
        bound, voted = (lists.scorer.gain(each - lists.prior) for each in (lists.bound(lost), drawn))
        centroid = f", centroid {_cell(_attack_centroid(lists, lost))}" if lost in BY_CENTROID else ""
        yield f"recall {1 - lost:.2f}: at least {_cell(bound)}, vote {_cell(voted)}{centroid}"


def _read(corpus: str) -> Case:
    settings = Settings()
    inputs = read_inputs(None, load_corpus(corpus), "minilm", None, settings, trained_on=None)
    plan = plan_case(inputs.cache_vectors(CACHE / "vectors"), settings)
    assert isinstance(plan, CasePlan)
    return plan.build(silent)


def _attack_centroid(lists: Lists, lost: float) -> Score:
    """The attack on words, fitted on the mean vectors of the neighbours of known rows."""
    known = lists.known
    own, theirs = (_average(known.vectors, lose(near, len(lists.own), lost)) for near in (lists.own, lists.near))
    attack = MultiLabelInverter().fit(own, known.texts, documents=known.documents, rng=np.random.default_rng(0))
    return lists.scorer.gain(word_recovery(attack.infer(theirs).sets, lists.truth).f1 - lists.prior)


def _average(vectors: Vectors, near: Integers) -> Vectors:
    return np.asarray(vectors[near].mean(axis=1), np.float32)


def lose(near: Integers, rows: int, lost: float) -> Integers:
    """The lists with a share of the neighbours replaced by random rows."""
    rng = np.random.default_rng(0)
    return np.where(rng.random(near.shape) < lost, rng.integers(rows, size=near.shape), near)


def _cell(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
