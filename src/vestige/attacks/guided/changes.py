"""Changes that were queried once: what each did to the vector, and which of them to make together."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import numpy as np

from vestige.attacks.guided.lexicon import Text
from vestige.types import Flags, Floats, Vectors

Change = tuple[tuple[int, int, Text], ...]
"""Spans of a text, by begin and end, with the words that take their place; none of them overlap."""

LARGEST, TOGETHER, KEPT = 240, 4, 24
_WORD = 64


def find_change(text: Text, other: Text) -> Change:
    """What leads from a text to the other."""
    opcodes = SequenceMatcher(None, text, other, autojunk=False).get_opcodes()
    return tuple((begin, end, other[first:last]) for kind, begin, end, first, last in opcodes if kind != "equal")


def make_change(text: Text, change: Change) -> Text:
    """The text with every span replaced."""
    made: list[int] = []
    at = 0
    for begin, end, words in sorted(change):
        made += [*text[at:begin], *words]
        at = end
    return (*made, *text[at:])


def carry(change: Change, made: Change) -> Change | None:
    """The same change of the text in which another one was made; None if they overlap."""
    moved = []
    for begin, end, words in change:
        shift = 0
        for first, last, others in made:
            if (first < end and begin < last) or first == last == begin == end:
                return None
            if last <= begin:
                shift += len(others) - (last - first)
        moved.append((begin + shift, end + shift, words))
    return tuple(moved)


class ChangePool:
    """Changes of one text with the difference that each made to its vector, and the fluency it gained.

    Differences of changes at different places nearly add up. So the pool finds changes to make together, also such as
    bring the vector no closer alone. If the text changes, the pool keeps what does not overlap.
    """

    def __init__(self) -> None:
        self.text: Text = ()
        self.found: dict[Change, tuple[Vectors, float]] = {}

    def rebase(self, text: Text) -> None:
        """Change the text that changes are counted from."""
        made = find_change(self.text, text)
        carried = ((carry(change, made), found) for change, found in self.found.items())
        self.found = {change: found for change, found in carried if change is not None}
        self.text = text

    def add(self, parent: Text, child: Text, difference: Vectors, gain: float) -> None:
        """Note what the change from parent to child did."""
        change: Change | None = find_change(parent, child)
        if change and parent != self.text:
            change = carry(change, find_change(parent, self.text))
        if change:
            self.found.pop(change, None)
            self.found[change] = (difference, gain)
            while len(self.found) > LARGEST:
                self.found.pop(next(iter(self.found)))

    def combine(self, vector: Vectors, target: Vectors, weight: float, most: int) -> list[Text]:
        """Texts with two or more changes made, those first that should come closest; `weight` turns log probability
        into cosine."""
        if len(self.found) < 2:
            return []
        changes = list(self.found)
        differences = np.array([difference for difference, _ in self.found.values()])
        gains = weight * np.array([gain for _, gain in self.found.values()])
        ranked = _rank_sets(vector, target, differences, gains, _overlaps(changes))
        best = sorted(ranked, key=lambda pair: -pair[0])[:most]
        return [make_change(self.text, tuple(span for each in chosen for span in changes[each])) for _, chosen in best]


def _overlaps(changes: Sequence[Change]) -> Flags:
    """Which changes overlap: bits stand for words and gaps."""
    masks = []
    for change in changes:
        mask = 0
        for begin, end, _ in change:
            mask |= 1 << (2 * begin) if begin == end else ((1 << (2 * (end - begin) - 1)) - 1) << (2 * begin + 1)
        masks.append([(mask >> (_WORD * part)) & (2**_WORD - 1) for part in range(3)])
    table = np.array(masks, dtype=np.uint64)
    return np.asarray((table[:, None] & table[None]).any(axis=2))


def _rank_sets(
    vector: Vectors, target: Vectors, differences: Vectors, gains: Floats, overlaps: Flags
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Sets of two and more changes with their expected value; each round adds one change to the best sets."""
    along, squares = differences @ target, np.square(differences).sum(axis=1)
    sets: list[tuple[int, ...]] = [()]
    totals, gained, barred = vector[None], np.zeros(1), np.zeros((1, len(differences)), bool)
    for size in range(1, TOGETHER + 1):
        dots = (totals @ target)[:, None] + along
        norms = np.square(totals).sum(axis=1)[:, None] + 2 * totals @ differences.T + squares
        values = dots / np.sqrt(np.maximum(norms, 1e-6)) + gained[:, None] + gains
        values[barred] = -np.inf
        grown: dict[tuple[int, ...], tuple[int, int]] = {}
        for place in np.argsort(-values, axis=None, kind="stable")[: 2 * KEPT * size]:
            row, added = divmod(int(place), len(differences))
            if values[row, added] > -np.inf:
                grown.setdefault(tuple(sorted((*sets[row], added))), (row, added))
        if not grown:
            return
        if size > 1:
            yield from ((float(values[at]), chosen) for chosen, at in grown.items())
        kept = list(grown.items())[:KEPT]
        rows, news = (np.array(each) for each in zip(*(at for _, at in kept), strict=True))
        sets = [chosen for chosen, _ in kept]
        totals, gained = totals[rows] + differences[news], gained[rows] + gains[news]
        barred = barred[rows] | overlaps[news]
