"""From a score a word to ranked words."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import softmax

from vestige.attacks.blocks import blocks
from vestige.types import Singles, Vectors, WordGuesses

SHOWN, CLAIMED = 50, 5
_ROWS_AT_ONCE = 256


def ranked_words(vectors: Vectors, words: Sequence[str], scores_of: Callable[[Vectors], Singles]) -> WordGuesses:
    """The fifty words with the best scores and the chance of each to come first; the best five are claimed."""
    ranked: list[list[tuple[str, float]]] = []
    for block, count in blocks(vectors, _ROWS_AT_ONCE):
        scores = scores_of(block)[:count].astype(np.float64)
        chances = softmax(scores, axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :SHOWN]
        for places, row in zip(order, chances, strict=True):
            ranked.append([(words[place], float(row[place])) for place in places])
    return WordGuesses([frozenset(word for word, _ in row[:CLAIMED]) for row in ranked], ranked)
