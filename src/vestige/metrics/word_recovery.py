"""Precision, recall and F1 of recovered words, text by text; plain, and weighted toward rare words (Corò 2022)."""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from math import log

import numpy as np

from vestige.errors import InputError
from vestige.types import Floats

Weight = Callable[[str], float]


@dataclass(frozen=True)
class WordRecovery:
    """One value per text. A mean over texts is the mean of these, never a ratio of pooled counts.

    `counted` is 0 if every word of a text has weight 0, so that there is nothing to recover; 1 otherwise.
    """

    precision: Floats
    recall: Floats
    f1: Floats
    counted: Floats


def word_recovery(
    guessed: Sequence[Set[str]], truth: Sequence[Set[str]], weight: Weight = lambda _word: 1.0
) -> WordRecovery:
    """Score each guessed set against the true one; `weight` is the weight of a word (Corò 2022, Eq. 4.6 and 4.7).

    A text without true words cannot be scored and is refused; if nothing is guessed, precision is 0.
    """
    if len(guessed) != len(truth):
        raise InputError(f"{len(guessed)} guesses but {len(truth)} true sets; expected one guess per text")
    if not all(truth):
        raise InputError("a text without any true words cannot be scored; drop it before scoring")
    rows = [_score(guess, true, weight) for guess, true in zip(guessed, truth, strict=True)]
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return WordRecovery(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


def rarity(truth: Sequence[Set[str]]) -> Weight:
    """The weight log((N + 1) / (c(w) + 1)), c(w) the number of target texts that contain w (Corò 2022, Eq. 4.8)."""
    counts = Counter(word for words in truth for word in words)
    texts = len(truth)
    return lambda word: log((texts + 1) / (counts[word] + 1))


def _score(guess: Set[str], true: Set[str], weight: Weight) -> tuple[float, float, float, float]:
    correct = _total(guess & true, weight)
    claimed, present = _total(guess, weight), _total(true, weight)
    precision = correct / claimed if claimed else 0.0
    recall = correct / present if present else 0.0
    f1 = 2 * precision * recall / (precision + recall) if correct else 0.0
    return precision, recall, f1, float(present > 0)


def _total(words: Set[str], weight: Weight) -> float:
    return sum(weight(word) for word in sorted(words))
