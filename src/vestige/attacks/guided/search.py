"""The search for one text: rank changes of a text without queries, query the best, accept what comes closer."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

import numpy as np

from vestige.attacks.guided.changes import ChangePool, find_change
from vestige.attacks.guided.crossover import rank_children
from vestige.attacks.guided.learned import EditOdds, EditorView, rank_learned, rewrite
from vestige.attacks.guided.lexicon import Palette, Text, WordStock
from vestige.attacks.guided.ranking import rank_edits, rank_orders
from vestige.attacks.guided.refilling import refill
from vestige.types import Vectors

FEWEST, MOST = 16, 256
SAME_WORD = 4
TRUST = 0.7
LONGEST = 60
PATIENCE = 6
SOON = 4
"""Rounds without gain until a search that may restart does so."""

RUINS, SMALLEST_RUIN, LARGEST_RUIN = 8, 0.2, 0.5
"""Texts to restart from, and the share of the words that each of them lacks."""

WIDEN = (1, 3)
CLOSER = 1e-4
REACHED = 1 - 1e-5
LAG = 100.0
"""How many units of log odds one unit of value is traded for."""

ADAPT = 0.3
"""How far the effect of a word moves towards what its first query shows."""

WINDOWS, WIDEST = 3, 4
"""Windows that are filled with other words in each round, and their largest size."""

REPEATED, COMMON = 0.003, 60
"""What a repeated word costs, in cosine; the most frequent words may be repeated."""

FADING = 0.93
"""How fast the record of a source is forgotten, from round to round."""


@dataclass(frozen=True)
class SearchCandidate:
    """A queried text, its vector, its cosine with the target, and its `value`: cosine and fluency."""

    text: Text
    vector: Vectors
    cosine: float
    value: float


@dataclass(frozen=True)
class Reached:
    """The best text after so many queries, its words by their numbers in the lexicon."""

    spent: int
    words: tuple[int, ...]
    cosine: float


class Search:
    """A beam of candidates for one target: `propose` gives the texts to encode next, `update` takes their vectors.

    All vectors have unit length.

    A round queries few texts while that helps, and twice as many after each round without gain. The search ends when
    large rounds bring nothing, or when the vector is reached. `trail` has the best text after each round.

    Proposals come from several sources: edits by the linear model, changes that were queried before and are now made
    together, spans of other texts, edits by the odds of a learned editor, and all likely edits at once. The more often
    a source came closer, the more turns it has. What a query shows about a word corrects its effect for this target.
    The editor is asked from outside: `unedited` are the candidates that it has not seen, `learn` takes its odds.

    With `restarts`, a search that is stuck goes on from its best text with a part of the words taken out (ruin and
    recreate, Schrimpf et al. 2000); the best text of all is kept.
    """

    def __init__(
        self,
        target: Vectors,
        palette: Palette,
        starts: Sequence[Text],
        stock: WordStock,
        *,
        weight: float,
        beam: int,
        restarts: int = 0,
    ) -> None:
        self.target = target
        self.palette = palette
        self.stock = stock
        self.starts = list(starts)
        self.weight = weight
        self.width = beam
        self.restarts = restarts
        self.restarting = False
        self.best: SearchCandidate | None = None
        self.beam: list[SearchCandidate] = []
        self.known: set[Text] = set()
        self.parents: dict[Text, SearchCandidate] = {}
        self.pool = ChangePool()
        self.features: dict[Text, EditorView] = {}
        self.sources: dict[Text, int] = {}
        self.tries: defaultdict[int, float] = defaultdict(float)
        self.wins: defaultdict[int, float] = defaultdict(float)
        self.seen: Counter[int] = Counter()
        self.idle = 0
        self.trail: list[Reached] = []

    @property
    def spent(self) -> int:
        """The number of texts queried so far."""
        return self.trail[-1].spent if self.trail else 0

    def is_over(self, left: int) -> bool:
        """Whether nothing more is to be queried."""
        if self.best is None:
            return False
        stuck = self.idle >= PATIENCE and not self.restarts
        return left <= 0 or stuck or self.best.cosine > REACHED

    def propose(self, left: int) -> list[Text]:
        """The texts of the next round, at most `left`; none when the search is over."""
        if self.best is None:
            texts = list(dict.fromkeys(self.starts))[:left]
        elif self.is_over(left):
            texts = []
        else:
            ruins = self._restart(self.best.text)[:left] if self.idle >= SOON and self.restarts else []
            self.restarting = bool(ruins)
            texts = ruins or self._change(min(left, FEWEST * 2**self.idle, MOST))
        self.known.update(texts)
        return texts

    def _restart(self, text: Text) -> list[Text]:
        """The text without some of its words: a span of neighbours, or here and there."""
        self.restarts -= 1
        rng = np.random.default_rng(self.spent)
        ruins: dict[Text, None] = {}
        for number in range(RUINS):
            share = rng.uniform(SMALLEST_RUIN, LARGEST_RUIN)
            size = min(max(1, round(share * len(text))), len(text) - 1)
            begin = int(rng.integers(len(text) - size + 1))
            gone = range(begin, begin + size) if number % 2 else rng.permutation(len(text))[:size].tolist()
            ruins[tuple(word for place, word in enumerate(text) if place not in gone)] = None
        return [ruin for ruin in ruins if self._is_new(ruin)]

    def update(self, texts: Sequence[Text], vectors: Vectors) -> None:
        """Keep the best of the beam and of the queried texts; after a restart, of the queried texts alone."""
        before = self.beam[0].value if self.beam and not self.restarting else -np.inf
        candidates = [self._candidate(text, vector) for text, vector in zip(texts, vectors, strict=True)]
        for candidate in candidates:
            if candidate.value > before and candidate.text in self.sources:
                self.wins[self.sources[candidate.text]] += 1
        kept = [] if self.restarting else self.beam
        self.beam = nlargest(self.width, [*kept, *candidates], key=lambda candidate: candidate.value)
        self.restarting = False
        self._learn_changes(candidates)
        now = self.beam[0]
        self.idle = 0 if now.value > before + CLOSER else self.idle + 1
        self.best = now if self.best is None or now.value > self.best.value else self.best
        words = tuple(self.palette.numbers[list(self.best.text)].tolist())
        self.trail.append(Reached(self.spent + len(texts), words, self.best.cosine))
        if self.idle in WIDEN:
            self._widen()

    def _learn_changes(self, candidates: Iterable[SearchCandidate]) -> None:
        """Note what each change did to the vector."""
        if self.beam[0].text != self.pool.text:
            self.pool.rebase(self.beam[0].text)
        for child in candidates:
            parent = self.parents.get(child.text)
            if parent is not None:
                gain = (child.value - child.cosine - parent.value + parent.cosine) / max(self.weight, 1e-9)
                self.pool.add(parent.text, child.text, child.vector - parent.vector, gain)
                self._correct_effects(parent, child)
        self.parents = {}

    def _correct_effects(self, parent: SearchCandidate, child: SearchCandidate) -> None:
        """Where one word was replaced, inserted or deleted, move the effects of the words towards what was seen."""
        change = find_change(parent.text, child.text)
        if len(change) != 1 or change[0][1] - change[0][0] > 1 or len(change[0][2]) > 1:
            return
        effects, (begin, end, put) = self.palette.effects, change[0]
        gone = parent.text[begin:end]
        whole = effects[list(parent.text)].sum(axis=0)
        moved = whole - effects[list(gone)].sum(axis=0) + effects[list(put)].sum(axis=0)
        root = np.sqrt(len(child.text))
        expected = parent.vector - whole / np.sqrt(len(parent.text)) + moved / root
        error = root * (child.vector * np.linalg.norm(expected) - expected)
        for word, sign in (*((word, 1) for word in put), *((word, -1) for word in gone)):
            self.seen[word] += 1
            effects[word] += sign * ADAPT / (len(put) + len(gone)) / np.sqrt(self.seen[word]) * error

    def _widen(self) -> None:
        """Add words to the palette; effects that were corrected stay so."""
        own, best = self.palette.effects, self.beam[0]
        wider = self.stock.widen(self.palette, best.vector, self.target, len(best.text))
        self.palette = replace(wider, effects=np.vstack([own, wider.effects[len(own) :]]))

    @property
    def unedited(self) -> list[SearchCandidate]:
        """Candidates of the beam that the learned editor has not seen."""
        return [candidate for candidate in self.beam if candidate.text not in self.features]

    def learn(self, text: Text, view: "EditorView") -> None:
        """Take the features that the learned editor has for a candidate."""
        self.features[text] = view

    def _candidate(self, text: Text, vector: Vectors) -> SearchCandidate:
        cosine = float(vector @ self.target)
        fluency = float(self.palette.fluency(np.array([text]))[0])
        repeats = sum(count - 1 for word, count in Counter(text).items() if self.palette.numbers[word] >= COMMON)
        return SearchCandidate(text, vector, cosine, cosine + self.weight * fluency - REPEATED * repeats)

    def _change(self, most: int) -> list[Text]:
        """The most promising texts that were never queried, each from the source with the best record so far."""
        odds = {
            candidate.text: view.find_odds(candidate.text, self.palette)
            for candidate in self.beam
            if (view := self.features.get(candidate.text)) is not None
        }
        sources = [self._by_effects(most, odds)]
        sources += [self._combined(most), self._crossed(), self._refilled(most), self._reordered(most)]
        sources.append(self._shortened() if self.idle else [])
        if odds:
            sources += [self._by_odds(most, odds), self._rewritten(odds)]
        waiting = {number: iter(source) for number, source in enumerate(sources)}
        for number in waiting:
            self.tries[number] *= FADING
            self.wins[number] *= FADING
        chosen: dict[Text, int] = {}
        while waiting and len(chosen) < most:
            number = max(waiting, key=lambda each: ((self.wins[each] + 1) / (self.tries[each] + 1), -each))
            found = next((pair for pair in waiting[number] if self._is_new(pair[0]) and pair[0] not in chosen), None)
            if found is None:
                del waiting[number]
            else:
                chosen[found[0]] = number
                self.parents[found[0]] = found[1]
                self.tries[number] += 1
        self.sources = chosen
        return list(chosen)

    def _is_new(self, text: Text) -> bool:
        return 0 < len(text) <= LONGEST and text not in self.known

    def _by_effects(self, most: int, odds: "dict[Text, EditOdds]") -> list[tuple[Text, SearchCandidate]]:
        """Edits by the linear model; no word is inserted too often."""
        edits = [
            (candidate.value - candidate.cosine + edit.value, edit, candidate)
            for candidate in self.beam
            for edit in rank_edits(
                candidate.text,
                candidate.vector,
                self.target,
                self.palette,
                weight=self.weight / TRUST,
                most=3 * most,
                odds=odds.get(candidate.text),
            )
        ]
        edits.sort(key=lambda pair: -pair[0])
        chosen: list[tuple[Text, SearchCandidate]] = []
        inserted: Counter[int] = Counter()
        for _, edit, candidate in edits:
            if self._is_new(edit.text) and (edit.word is None or inserted[edit.word] < SAME_WORD):
                chosen.append((edit.text, candidate))
                inserted.update([edit.word] if edit.word is not None else [])
        return chosen

    def _combined(self, most: int) -> list[tuple[Text, SearchCandidate]]:
        best = self.beam[0]
        texts = self.pool.combine(best.vector, self.target, self.weight, 3 * most)
        return [(text, best) for text in texts]

    def _refilled(self, most: int) -> list[tuple[Text, SearchCandidate]]:
        """Windows of a few words, drawn at random, filled with other words."""
        best, rng = self.beam[0], np.random.default_rng(self.spent)
        found: list[tuple[float, Text]] = []
        for _ in range(WINDOWS):
            size = int(rng.integers(1, min(WIDEST, len(best.text)) + 1))
            begin = int(rng.integers(0, len(best.text) - size + 1))
            window = (begin, begin + size)
            found += refill(best.text, best.vector, self.target, self.palette, window, self.weight / TRUST)
        found.sort(key=lambda pair: -pair[0])
        return [(text, best) for _, text in found[:most]]

    def _shortened(self) -> list[tuple[Text, SearchCandidate]]:
        """The best text without each of its words, to learn what they do."""
        best = self.beam[0]
        return [((*best.text[:place], *best.text[place + 1 :]), best) for place in range(len(best.text))]

    def _reordered(self, most: int) -> list[tuple[Text, SearchCandidate]]:
        best = self.beam[0]
        return [(text, best) for text in rank_orders(best.text, self.palette, 3 * most)]

    def _by_odds(self, most: int, odds: "dict[Text, EditOdds]") -> list[tuple[Text, SearchCandidate]]:
        """Edits and moves by the odds of the learned editor; those of a worse candidate have to be likelier."""
        best = self.beam[0].value
        found = [
            (value - LAG * (best - candidate.value), text, candidate)
            for candidate in self.beam
            if candidate.text in odds
            for value, text in rank_learned(candidate.text, odds[candidate.text], 2 * most)
        ]
        return [(text, candidate) for _, text, candidate in sorted(found, key=lambda each: -each[0])]

    def _rewritten(self, odds: "dict[Text, EditOdds]") -> list[tuple[Text, SearchCandidate]]:
        return [
            (text, candidate)
            for candidate in self.beam
            if candidate.text in odds
            for text in rewrite(candidate.text, odds[candidate.text], self.spent)
        ]

    def _crossed(self) -> list[tuple[Text, SearchCandidate]]:
        best = self.beam[0]
        others = [*(candidate.text for candidate in self.beam[1:]), *self.starts]
        ranked = rank_children(best.text, best.vector, self.target, others, self.palette, self.weight)
        return [(text, best) for _, text in ranked[: max(1, len(ranked) // 3)]]
