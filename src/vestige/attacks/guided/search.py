"""The search for one text: rank all edits of one word without queries, query the best, accept what comes closer."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nlargest

import numpy as np

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
        self.idle = 0
        self.trail: list[tuple[int, SearchCandidate]] = []

    @property
    def spent(self) -> int:
        """The number of texts queried so far."""
        return self.trail[-1][0] if self.trail else 0

    def propose(self, left: int) -> list[Text]:
        """The texts of the next round, at most `left`; none when the search is over."""
        if not self.beam:
            texts = list(dict.fromkeys(self.starts))[:left]
        elif left <= 0 or self.idle >= PATIENCE or self.beam[0].cosine > REACHED:
            texts = []
        else:
            texts = self._edited(min(left, FEWEST * 2**self.idle, MOST))
        self.known.update(texts)
        return texts

    def update(self, texts: Sequence[Text], vectors: Vectors) -> None:
        """Keep the best of the beam and of the queried texts."""
        before = self.beam[0].value if self.beam else -np.inf
        candidates = [self._candidate(text, vector) for text, vector in zip(texts, vectors, strict=True)]
        self.beam = nlargest(self.width, [*self.beam, *candidates], key=lambda candidate: candidate.value)
        self.idle = 0 if self.beam[0].value > before + CLOSER else self.idle + 1
        self.trail.append((self.spent + len(texts), self.beam[0]))
        if self.idle in WIDEN:
            best = self.beam[0]
            self.palette = self.stock.widen(self.palette, best.vector, self.target, len(best.text))

    def _candidate(self, text: Text, vector: Vectors) -> SearchCandidate:
        cosine = float(vector @ self.target)
        fluency = float(self.palette.fluency(np.array([text]))[0])
        return SearchCandidate(text, vector, cosine, cosine + self.weight * fluency)

    def _edited(self, most: int) -> list[Text]:
        """The most promising edits of the whole beam that were never queried; no word is inserted too often."""
        edits = [
            (candidate.value - candidate.cosine + edit.value, edit)
            for candidate in self.beam
            for edit in rank_edits(
                candidate.text, candidate.vector, self.target, self.palette, weight=self.weight / TRUST, most=3 * most
            )
        ]
        edits.sort(key=lambda pair: -pair[0])
        chosen: list[Text] = []
        inserted: Counter[int] = Counter()
        for _, edit in edits:
            new = edit.text not in self.known and len(edit.text) <= LONGEST
            if new and edit.text not in chosen and (edit.word is None or inserted[edit.word] < SAME_WORD):
                chosen.append(edit.text)
                inserted.update([edit.word] if edit.word is not None else [])
            if len(chosen) == most:
                break
        return chosen


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
    text: Text, vector: Vectors, target: Vectors, palette: Palette, *, weight: float, most: int
) -> Iterator[Edit]:
    """The most promising edits of a text that has this vector; `weight` turns log probability into similarity.

    The vector of an edited text is estimated as this one plus the change in the sum of effects over the root of the
    length. Where words only move, that change is zero, and fluency alone decides.
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
