"""The search for one text: rank all edits of one word without queries, query the best, accept what comes closer."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nlargest

import numpy as np

from vestige.attacks.guided.crossover import rank_children
from vestige.attacks.guided.learned import EditOdds, EditorView, rank_learned, rewrite
from vestige.attacks.guided.lexicon import EDGE, Palette, Text, WordStock
from vestige.types import Floats, Integers, Vectors

FEWEST, MOST = 16, 256
SAME_WORD = 4
TRUST = 0.7
LONGEST = 60
PATIENCE = 6
WIDEN = (1, 3)
CLOSER = 1e-4
REACHED = 1 - 1e-5
MOVES = 6
LEARNED = 0.005
"""How much cosine one unit of the editor's log odds is traded for."""

LAG = 100.0
"""How many units of log odds one unit of value is traded for."""


@dataclass(frozen=True)
class SearchCandidate:
    """A queried text, its vector, its cosine with the target, and its `value`: cosine and fluency."""

    text: Text
    vector: Vectors
    cosine: float
    value: float


class Search:
    """A beam of candidates for one target: `propose` gives the texts to encode next, `update` takes their vectors.

    All vectors have unit length.

    A round queries few texts while that helps, and twice as many after each round without gain. The search ends when
    large rounds bring nothing, or when the vector is reached. `trail` has the best candidate after each round, with the
    number of texts queried until then.

    Proposals come from several sources: edits by the linear model, edits by the odds of a learned editor, all likely
    edits at once, and spans of the starting texts. The more often a source came closer, the more turns it has. The
    editor is asked from outside: `unedited` are the candidates that it has not seen, `learn` takes its odds.
    """

    def __init__(
        self, target: Vectors, palette: Palette, starts: Sequence[Text], stock: WordStock, *, weight: float, beam: int
    ) -> None:
        self.target = target
        self.palette = palette
        self.stock = stock
        self.starts = starts
        self.weight = weight
        self.width = beam
        self.beam: list[SearchCandidate] = []
        self.known: set[Text] = set()
        self.features: dict[Text, EditorView] = {}
        self.sources: dict[Text, int] = {}
        self.tries: Counter[int] = Counter()
        self.wins: Counter[int] = Counter()
        self.idle = 0
        self.trail: list[tuple[int, SearchCandidate]] = []

    @property
    def spent(self) -> int:
        """The number of texts queried so far."""
        return self.trail[-1][0] if self.trail else 0

    def is_over(self, left: int) -> bool:
        """Whether nothing more is to be queried."""
        return bool(self.beam) and (left <= 0 or self.idle >= PATIENCE or self.beam[0].cosine > REACHED)

    def propose(self, left: int) -> list[Text]:
        """The texts of the next round, at most `left`; none when the search is over."""
        if not self.beam:
            texts = list(dict.fromkeys(self.starts))[:left]
        elif self.is_over(left):
            texts = []
        else:
            texts = self._edited(min(left, FEWEST * 2**self.idle, MOST))
        self.known.update(texts)
        return texts

    def update(self, texts: Sequence[Text], vectors: Vectors) -> None:
        """Keep the best of the beam and of the queried texts."""
        before = self.beam[0].value if self.beam else -np.inf
        candidates = [self._candidate(text, vector) for text, vector in zip(texts, vectors, strict=True)]
        better = (candidate.text for candidate in candidates if candidate.value > before)
        self.wins.update(self.sources[text] for text in better if text in self.sources)
        self.beam = nlargest(self.width, [*self.beam, *candidates], key=lambda candidate: candidate.value)
        self.idle = 0 if self.beam[0].value > before + CLOSER else self.idle + 1
        self.trail.append((self.spent + len(texts), self.beam[0]))
        if self.idle in WIDEN:
            best = self.beam[0]
            self.palette = self.stock.widen(self.palette, best.vector, self.target, len(best.text))

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
        return SearchCandidate(text, vector, cosine, cosine + self.weight * fluency)

    def _edited(self, most: int) -> list[Text]:
        """The most promising texts that were never queried, each from the source with the best record so far."""
        odds = {
            candidate.text: view.find_odds(candidate.text, self.palette)
            for candidate in self.beam
            if (view := self.features.get(candidate.text)) is not None
        }
        sources = [self._by_effects(most, odds)]
        if odds:
            sources += [self._by_odds(most, odds), self._rewritten(odds), self._crossed()]
        waiting = {number: iter(source) for number, source in enumerate(sources)}
        chosen: dict[Text, int] = {}
        while waiting and len(chosen) < most:
            number = max(waiting, key=lambda each: ((self.wins[each] + 1) / (self.tries[each] + 1), -each))
            text = next((text for text in waiting[number] if self._is_new(text) and text not in chosen), None)
            if text is None:
                del waiting[number]
            else:
                chosen[text] = number
                self.tries[number] += 1
        self.sources = chosen
        return list(chosen)

    def _is_new(self, text: Text) -> bool:
        return 0 < len(text) <= LONGEST and text not in self.known

    def _by_effects(self, most: int, odds: "dict[Text, EditOdds]") -> list[Text]:
        """Edits by the linear model; no word is inserted too often."""
        edits = [
            (candidate.value - candidate.cosine + edit.value, edit)
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
        chosen: list[Text] = []
        inserted: Counter[int] = Counter()
        for _, edit in edits:
            if self._is_new(edit.text) and (edit.word is None or inserted[edit.word] < SAME_WORD):
                chosen.append(edit.text)
                inserted.update([edit.word] if edit.word is not None else [])
        return chosen

    def _by_odds(self, most: int, odds: "dict[Text, EditOdds]") -> list[Text]:
        """Edits and moves by the odds of the learned editor; those of a worse candidate have to be likelier."""
        best = self.beam[0].value
        found = [
            (value - LAG * (best - candidate.value), text)
            for candidate in self.beam
            if candidate.text in odds
            for value, text in rank_learned(candidate.text, odds[candidate.text], 2 * most)
        ]
        return [text for _, text in sorted(found, key=lambda pair: -pair[0])]

    def _rewritten(self, odds: "dict[Text, EditOdds]") -> list[Text]:
        return [text for own, each in odds.items() for text in rewrite(own, each, self.spent)]

    def _crossed(self) -> list[Text]:
        best = self.beam[0]
        others = [*(candidate.text for candidate in self.beam[1:]), *self.starts]
        ranked = rank_children(best.text, best.vector, self.target, others, self.palette, self.weight)
        return [text for _, text in ranked[: max(1, len(ranked) // 3)]]


@dataclass(frozen=True)
class Edit:
    """A text one edit away, its expected value, and the inserted word, if any."""

    text: Text
    value: float
    word: int | None = None


@dataclass(frozen=True)
class _Slots:
    """Where a word may go: the words before and after, and the effects and the number of the words that stay.

    `broken` is the log probability of the bigrams that the edit breaks.
    """

    before: Integers
    after: Integers
    rest: Vectors
    count: int
    broken: Floats


def rank_edits(
    text: Text,
    vector: Vectors,
    target: Vectors,
    palette: Palette,
    *,
    weight: float,
    most: int,
    odds: EditOdds | None = None,
) -> Iterator[Edit]:
    """The most promising edits of a text that has this vector; `weight` turns log probability into similarity.

    The vector of an edited text is estimated as this one plus the change in the sum of effects over the root of the
    length. Where words only move, that change is zero, and fluency alone decides. The odds of a learned editor, where
    there are any, count as well.
    """
    words, follows = np.array(text), palette.follows
    framed = palette.frame(words[None])[0]
    whole = palette.effects[words].sum(axis=0)
    base = vector - whole / np.sqrt(len(text))
    spans = _Slots(
        before := framed[:-2],
        after := framed[2:],
        whole - palette.effects[words],
        len(text) - 1,
        follows[before, words] + follows[words, after],
    )
    gaps = _Slots(
        before := framed[:-1],
        after := framed[1:],
        np.tile(whole, (len(text) + 1, 1)),
        len(text),
        follows[before, after],
    )
    changed, grown = (_value(slots, base, target, palette, weight) for slots in (spans, gaps))
    if odds is not None:
        changed += LEARNED * odds.clipped().changed
        grown += LEARNED * odds.clipped().grown
    changed[np.arange(len(text)), words] = -np.inf
    grown[:, EDGE] = -np.inf
    for slot, word in _largest(changed, most):
        put = () if word == EDGE else (word,)
        yield Edit((*text[:slot], *put, *text[slot + 1 :]), float(changed[slot, word]), put[0] if put else None)
    for slot, word in _largest(grown, most):
        yield Edit((*text[:slot], word, *text[slot:]), float(grown[slot, word]), word)
    yield from _moves(text, float(vector @ target), palette, weight)


def _value(slots: _Slots, base: Vectors, target: Vectors, palette: Palette, weight: float) -> Floats:
    """Expected similarity plus fluency gained, for each slot and each word put there; the first column is for none."""
    root = np.sqrt(slots.count + 1)
    similarity = _cosines(base + slots.rest / root, palette.effects / root, target)
    joints = palette.follows[slots.before] + palette.follows[:, slots.after].T
    joints[:, EDGE] = palette.follows[slots.before, slots.after]
    if slots.count:
        emptied = base + slots.rest / np.sqrt(slots.count)
        similarity[:, EDGE] = _cosines(emptied, palette.effects[[EDGE]], target)[:, 0]
    else:
        similarity[:, EDGE] = -np.inf
    value: Floats = similarity + weight * (joints - slots.broken[:, None])
    return value


def _cosines(rests: Vectors, effects: Vectors, target: Vectors) -> Floats:
    """The cosine of the target with rest plus effect, for all pairs, without making their sums."""
    dots = (rests @ target)[:, None] + effects @ target
    squares = np.square(rests).sum(axis=1)[:, None] + 2 * rests @ effects.T + np.square(effects).sum(axis=1)
    return np.asarray(dots / np.sqrt(np.maximum(squares, 1e-6)), dtype=np.float64)


def _largest(values: Floats, most: int) -> Iterator[tuple[int, int]]:
    for place in np.argsort(-values, axis=None, kind="stable")[:most]:
        slot, word = divmod(int(place), values.shape[1])
        if values[slot, word] > -np.inf:
            yield slot, word


def _moves(text: Text, similarity: float, palette: Palette, weight: float) -> Iterator[Edit]:
    """Move one word to another position: the few that read best."""
    moved = np.array(text)[_orders(len(text))]
    gains = palette.fluency(moved) - palette.fluency(np.array([text]))
    for row in np.argsort(-gains, kind="stable")[:MOVES]:
        yield Edit(tuple(moved[row].tolist()), similarity + weight * float(gains[row]))


@cache
def _orders(length: int) -> Integers:
    """Every order of so many words in which one word has moved."""
    orders = []
    for taken in range(length):
        rest = [place for place in range(length) if place != taken]
        orders += [[*rest[:put], taken, *rest[put:]] for put in range(length) if put not in (taken, taken - 1)]
    return np.array(orders, dtype=np.int64).reshape(-1, length)
