"""Several neighbouring words at once: a few are taken out, and others are filled in that fit vector and context."""

import numpy as np

from vestige.attacks.guided.lexicon import EDGE, Palette, Text
from vestige.types import Floats, Vectors

BEAM, LONGER = 20, 1
Window = tuple[int, int]


def refill(
    text: Text, vector: Vectors, target: Vectors, palette: Palette, window: Window, weight: float
) -> list[tuple[float, Text]]:
    """Texts with other words in the window, and what they are expected to be worth, the best first.

    A beam search from left to right. A partial text is judged as if it were complete: by the cosine that the effects of
    its words let expect, and by its bigrams times `weight`. Up to `LONGER` more words are filled in than are taken out.
    """
    begin, end = window
    before, after = text[:begin], text[end:]
    framed = (EDGE, *text, EDGE)
    following = framed[end + 1]
    effects, whole = palette.effects, palette.effects[list(text)].sum(axis=0)
    base = vector - whole / np.sqrt(len(text))
    sums = (whole - effects[list(text[begin:end])].sum(axis=0))[None]
    fills: list[Text] = [()]
    last, fluency = np.array([framed[begin]]), np.zeros(1)
    broken = _log_probability(framed[begin : end + 2], palette)
    found: list[tuple[float, Text]] = []
    for length in range(1, end - begin + LONGER + 1):
        size = len(before) + length + len(after)
        grown = fluency[:, None] + palette.follows[last]
        values = _expected_cosines(base, sums, effects, target, np.sqrt(size))
        values += weight * (grown + palette.follows[:, following] - broken)
        values[:, EDGE] = -np.inf
        best = np.argpartition(-values, min(BEAM, values.size - 1), axis=None)[:BEAM]
        best = best[values.ravel()[best] > -np.inf]
        rows, words = np.divmod(best, len(effects))
        fills = [(*fills[row], int(word)) for row, word in zip(rows, words, strict=True)]
        found += [
            (float(value), (*before, *fill, *after)) for value, fill in zip(values.ravel()[best], fills, strict=True)
        ]
        sums, last, fluency = sums[rows] + effects[words], words, grown[rows, words]
    return sorted(found, key=lambda pair: -pair[0])


def _log_probability(words: Text, palette: Palette) -> float:
    return float(palette.follows[list(words[:-1]), list(words[1:])].sum())


def _expected_cosines(base: Vectors, sums: Vectors, effects: Vectors, target: Vectors, root: float) -> Floats:
    """The cosine of the target with base plus (sum plus effect) over root, for all pairs."""
    rests, steps = base + sums / root, effects / root
    dots = (rests @ target)[:, None] + steps @ target
    squares = np.square(rests).sum(axis=1)[:, None] + 2 * rests @ steps.T + np.square(steps).sum(axis=1)
    return np.asarray(dots / np.sqrt(np.maximum(squares, 1e-6)), dtype=np.float64)
