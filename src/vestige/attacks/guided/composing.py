"""Texts that are composed without a query: words that the vector makes likely, in an order that bigrams make likely."""

from dataclasses import dataclass

import numpy as np

from vestige.attacks.guided.lexicon import EDGE, Palette, Text
from vestige.types import Floats

BEAM = 48
STRONGEST = 8.0
REPEATED = 2.0
PATIENCE = 8


@dataclass(frozen=True)
class Style:
    """How much the evidence for words counts beside the bigrams, and what each word is worth: it sets the length."""

    evidence: float = 0.7
    per_word: float = 2.5


def compose(palette: Palette, evidence: Floats, style: Style, longest: int) -> Text:
    """The best text of a beam search from left to right.

    `evidence` has for each word of the palette what the vector adds to its log odds; it counts when a word is written
    first, up to `STRONGEST`. The score of a text is the log probability of its bigrams, plus the weighted evidence,
    plus what its words are worth.
    """
    gain = style.evidence * np.minimum(evidence, STRONGEST) + style.per_word
    again = np.minimum(gain, style.per_word) - REPEATED
    texts: list[Text] = [()]
    scores, last, used = np.zeros(1), np.array([EDGE]), np.zeros((1, len(gain)), bool)
    best = -np.inf
    chosen: Text = (int(np.argmax(gain[1:])) + 1,)
    for length in range(1, longest + 1):
        values = scores[:, None] + palette.follows[last] + np.where(used, again, gain)
        values[:, EDGE] = -np.inf
        kept = np.argsort(-values, axis=None, kind="stable")[:BEAM]
        kept = kept[values.ravel()[kept] > -np.inf]
        rows, last = np.divmod(kept, len(gain))
        texts = [(*texts[row], int(word)) for row, word in zip(rows, last, strict=True)]
        scores, used = values.ravel()[kept], used[rows].copy()
        used[np.arange(len(rows)), last] = True
        ended = scores + palette.follows[last, EDGE]
        if ended.max() > best:
            best, chosen = float(ended.max()), texts[int(ended.argmax())]
        elif length - len(chosen) >= PATIENCE:
            break
    return chosen
