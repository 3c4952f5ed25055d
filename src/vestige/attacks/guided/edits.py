"""All edits of one word, ranked before any is asked of the encoder."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from vestige.attacks.guided.palette import EDGE, Palette, Text
from vestige.types import Floats, Integers, Vectors

MOVES = 6


@dataclass(frozen=True)
class Edit:
    """A text one edit away, what it is expected to be worth, and the word put in, if one is."""

    text: Text
    worth: float
    word: int | None = None


@dataclass(frozen=True)
class _Slots:
    """Where a word may go: what is before and after, the effects and the number of the words that stay.

    `broken` is the log probability of the joints that give way.
    """

    before: Integers
    after: Integers
    rest: Vectors
    kept: int
    broken: Floats


def best_edits(
    text: Text, vector: Vectors, target: Vectors, palette: Palette, *, weight: float, most: int
) -> Iterator[Edit]:
    """The most promising edits of a text that has this vector; `weight` turns log probability into similarity.

    The vector of an edited text is taken to be this one, plus the change in the sum of effects over the root of the
    length. Where words only move, that change is nothing, and fluency alone decides.
    """
    words, follows = np.array(text), palette.follows
    framed = palette.framed(words[None])[0]
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
    changed, grown = (_worth(slots, base, target, palette, weight) for slots in (spans, gaps))
    changed[np.arange(len(text)), words] = -np.inf
    grown[:, EDGE] = -np.inf
    for slot, word in _largest(changed, most):
        put = () if word == EDGE else (word,)
        yield Edit((*text[:slot], *put, *text[slot + 1 :]), float(changed[slot, word]), put[0] if put else None)
    for slot, word in _largest(grown, most):
        yield Edit((*text[:slot], word, *text[slot:]), float(grown[slot, word]), word)
    yield from _moves(text, float(vector @ target), palette, weight)


def _worth(slots: _Slots, base: Vectors, target: Vectors, palette: Palette, weight: float) -> Floats:
    """Expected similarity and fluency gained, for each slot and each word put there; the first column is for none."""
    root = np.sqrt(slots.kept + 1)
    similarity = _cosines(base + slots.rest / root, palette.effects / root, target)
    joints = palette.follows[slots.before] + palette.follows[:, slots.after].T
    joints[:, EDGE] = palette.follows[slots.before, slots.after]
    if slots.kept:
        emptied = base + slots.rest / np.sqrt(slots.kept)
        similarity[:, EDGE] = _cosines(emptied, palette.effects[[EDGE]], target)[:, 0]
    else:
        similarity[:, EDGE] = -np.inf
    worth: Floats = similarity + weight * (joints - slots.broken[:, None])
    return worth


def _cosines(rests: Vectors, effects: Vectors, target: Vectors) -> Floats:
    """The cosine of target and rest plus effect, for all pairs, no sum of which is ever made."""
    dots = (rests @ target)[:, None] + effects @ target
    squares = np.square(rests).sum(axis=1)[:, None] + 2 * rests @ effects.T + np.square(effects).sum(axis=1)
    return np.asarray(dots / np.sqrt(np.maximum(squares, 1e-6)), dtype=np.float64)


def _largest(values: Floats, most: int) -> Iterator[tuple[int, int]]:
    for place in np.argsort(-values, axis=None, kind="stable")[:most]:
        slot, word = divmod(int(place), values.shape[1])
        if values[slot, word] > -np.inf:
            yield slot, word


def _moves(text: Text, similarity: float, palette: Palette, weight: float) -> Iterator[Edit]:
    """One word to another place: the few that read best."""
    moved = np.array(text)[_orders(len(text))]
    gains = palette.fluency(moved) - palette.fluency(np.array([text]))
    for row in np.argsort(-gains, kind="stable")[:MOVES]:
        yield Edit(tuple(moved[row].tolist()), similarity + weight * float(gains[row]))


@cache
def _orders(length: int) -> Integers:
    """Every order of so many words in which one has left its place."""
    orders = []
    for taken in range(length):
        rest = [place for place in range(length) if place != taken]
        orders += [[*rest[:put], taken, *rest[put:]] for put in range(length) if put not in (taken, taken - 1)]
    return np.array(orders, dtype=np.int64).reshape(-1, length)
