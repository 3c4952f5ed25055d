"""What a learned editor proposes for a text: single edits by their odds, moves, and all likely edits at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vestige.attacks.guided.lexicon import EDGE, Palette, Text
from vestige.types import Floats, Singles

THRESHOLDS = (0.0, 1.0, 2.5)
DRAWS, HEAT = 3, 1.0
CLIP = 6.0


@dataclass(frozen=True)
class EditOdds:
    """Log odds of every edit of a text against leaving it: `changed` for a word in the place of each word, `grown` for
    a word in each gap. The first column stands for no word."""

    changed: Floats
    grown: Floats

    def clipped(self) -> "EditOdds":
        """The same with extremes cut off."""
        return EditOdds(np.clip(self.changed, -CLIP, CLIP), np.clip(self.grown, -CLIP, CLIP))


@dataclass(frozen=True)
class EditorView:
    """The features that an editor has for a text, one row per word and per gap, and its output for `nothing`."""

    replace: Singles
    insert: Singles
    nothing: Singles

    def find_odds(self, text: Text, palette: Palette) -> EditOdds:
        """The odds of the words of a palette; the last entry of an output is its bias."""
        assert palette.outputs is not None
        weights, bias = palette.outputs[:, :-1], palette.outputs[:, -1]
        changed = (self.replace @ weights.T + bias).astype(np.float64)
        changed -= changed[np.arange(len(text)), list(text)][:, None]
        grown = (self.insert @ weights.T + bias).astype(np.float64)
        grown -= (self.insert @ self.nothing[:-1] + self.nothing[-1]).astype(np.float64)[:, None]
        grown[:, EDGE] = -np.inf
        return EditOdds(changed, grown)


def rank_learned(text: Text, odds: EditOdds, most: int) -> list[tuple[float, Text]]:
    """The single edits and moves of one word with the highest odds."""
    changed = odds.changed.copy()
    changed[np.arange(len(text)), list(text)] = -np.inf
    moved = odds.changed[:, EDGE][:, None] + odds.grown[:, list(text)].T
    near = np.arange(len(text))
    moved[near, near] = moved[near, near + 1] = -np.inf
    found = [(float(changed[slot, word]), _change(text, slot, word)) for slot, word in _largest(changed, most)]
    found += [(float(odds.grown[gap, word]), _insert(text, gap, word)) for gap, word in _largest(odds.grown, most)]
    found += [(float(moved[slot, gap]), _move(text, slot, gap)) for slot, gap in _largest(moved, most)]
    return sorted((pair for pair in found if pair[1]), key=lambda pair: -pair[0])[:most]


def rewrite(text: Text, odds: EditOdds, seed: int) -> Iterator[Text]:
    """The text with every edit made whose odds exceed a threshold; then with odds that are disturbed at random."""
    for threshold in THRESHOLDS:
        yield _apply(text, odds, threshold)
    rng = np.random.default_rng(seed)
    for _ in range(DRAWS):
        noisy = EditOdds(
            odds.changed + HEAT * rng.gumbel(size=odds.changed.shape),
            odds.grown + HEAT * rng.gumbel(size=odds.grown.shape),
        )
        yield _apply(text, noisy, 1.0)


def _apply(text: Text, odds: EditOdds, threshold: float) -> Text:
    words, fills = odds.changed.argmax(axis=1), odds.grown.argmax(axis=1)
    own = odds.changed[np.arange(len(text)), list(text)]
    result: list[int] = []
    for gap in range(len(text) + 1):
        if odds.grown[gap, fills[gap]] > threshold:
            result.append(int(fills[gap]))
        if gap < len(text):
            better = odds.changed[gap, words[gap]] > own[gap] + threshold
            word = int(words[gap]) if better else text[gap]
            result += [] if word == EDGE else [word]
    return tuple(result)


def _change(text: Text, slot: int, word: int) -> Text:
    return (*text[:slot], *(() if word == EDGE else (word,)), *text[slot + 1 :])


def _insert(text: Text, gap: int, word: int) -> Text:
    return (*text[:gap], word, *text[gap:])


def _move(text: Text, slot: int, gap: int) -> Text:
    word, rest = text[slot], (*text[:slot], *text[slot + 1 :])
    place = gap if gap <= slot else gap - 1
    return (*rest[:place], word, *rest[place:])


def _largest(values: Floats, most: int) -> Iterator[tuple[int, int]]:
    flat = values.ravel()
    best = np.argpartition(-flat, most)[:most] if most < flat.size else np.arange(flat.size)
    for place in sorted(best.tolist(), key=lambda place: (-flat[place], place)):
        if flat[place] > -np.inf:
            yield divmod(int(place), values.shape[1])
