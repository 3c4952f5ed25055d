"""All edits of one word, ranked without a query: by a linear model of what words do to vectors, and by bigrams."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from vestige.attacks.guided.learned import EditOdds
from vestige.attacks.guided.lexicon import EDGE, Palette, Text
from vestige.types import Floats, Integers, Vectors

MOVES = 6
LONGEST_SPAN = 5
LEARNED = 0.005
"""How much cosine one unit of the editor's log odds is traded for."""


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


def rank_orders(text: Text, palette: Palette, most: int) -> list[Text]:
    """The text with one word or a short span moved, or two words swapped: those that read best first."""
    moved = np.array(text)[_span_orders(len(text))]
    gains = palette.fluency(moved)
    best = np.argsort(-gains, kind="stable")[:most]
    return [tuple(row) for row in moved[best].tolist()]


@cache
def _span_orders(length: int) -> Integers:
    """Every order in which a span of up to `LONGEST_SPAN` words has moved, or two words have changed places."""
    orders: dict[tuple[int, ...], None] = {}
    places = tuple(range(length))
    for size in range(1, min(LONGEST_SPAN, length - 1) + 1):
        for begin in range(length - size + 1):
            span, rest = places[begin : begin + size], places[:begin] + places[begin + size :]
            orders.update((rest[:put] + span + rest[put:], None) for put in range(len(rest) + 1))
    for one in places:
        for other in range(one + 1, length):
            swapped = list(places)
            swapped[one], swapped[other] = other, one
            orders[tuple(swapped)] = None
    orders.pop(places, None)
    return np.array(list(orders), dtype=np.int64).reshape(-1, length)


@cache
def _orders(length: int) -> Integers:
    """Every order of so many words in which one word has moved."""
    orders = []
    for taken in range(length):
        rest = [place for place in range(length) if place != taken]
        orders += [[*rest[:put], taken, *rest[put:]] for put in range(length) if put not in (taken, taken - 1)]
    return np.array(orders, dtype=np.int64).reshape(-1, length)
