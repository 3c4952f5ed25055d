"""Texts with mistakes, for an editor to learn from, and the edits that lead from a text back to the true one."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from vestige.attacks.prefix.network import DELETE, NOTHING, RESERVED
from vestige.attacks.rows import unit_length
from vestige.types import Floats, Integers, Vectors

SIMILAR = 12
HEAVIEST = 0.6
LONGEST_SPAN = 4
AT_ONCE = 1024


@dataclass(frozen=True)
class Mistakes:
    """Draws mistakes: words are dropped, replaced, inserted, and moved.

    `similar` has the nearest words of each word, `usual` the cumulated frequencies of all. Half of the replacements are
    similar to the true word, as they are in a search; the other half are any words.
    """

    similar: Integers
    usual: Floats

    @classmethod
    def learn(cls, word_vectors: Vectors, counts: Integers) -> "Mistakes":
        """From one vector and one count per token; tokens that are no words are never drawn."""
        unit = unit_length(word_vectors)
        unit[:RESERVED] = 0
        near = [
            np.argpartition(-(unit[start : start + AT_ONCE] @ unit[RESERVED:].T), _most(len(unit)), axis=1)[
                :, : _most(len(unit)) + 1
            ]
            for start in range(0, len(unit), AT_ONCE)
        ]
        usual = np.where(np.arange(len(counts)) < RESERVED, 0, counts).astype(np.float64)
        return cls(np.vstack(near) + RESERVED, np.cumsum(usual / usual.sum()))

    def spoil(self, text: Sequence[int], rng: np.random.Generator) -> list[int]:
        """The text with between none and more than half of its words wrong."""
        rate = rng.uniform(0, HEAVIEST)
        spoiled = _move_spans(list(text), rng) if rng.random() < rate else list(text)
        chances = rng.random((len(spoiled), 2))
        kept: list[int] = []
        for word, (chance, growth) in zip(spoiled, chances, strict=True):
            if chance < rate / 2:
                kept.append(self._other(word, rng))
            elif chance > rate * 0.75:
                kept.append(word)
            if growth < rate / 5:
                kept.append(self._any(rng))
        return kept or list(text)

    def _other(self, word: int, rng: np.random.Generator) -> int:
        return int(rng.choice(self.similar[word])) if rng.random() < 0.5 else self._any(rng)

    def _any(self, rng: np.random.Generator) -> int:
        return min(int(np.searchsorted(self.usual, rng.random())), len(self.usual) - 1)


def _most(tokens: int) -> int:
    return min(SIMILAR, tokens - RESERVED - 1)


def _move_spans(text: list[int], rng: np.random.Generator) -> list[int]:
    """Move one to three spans of a few words."""
    for _ in range(int(rng.integers(1, 4))):
        size = int(rng.integers(1, min(LONGEST_SPAN, len(text)) + 1))
        begin = int(rng.integers(0, len(text) - size + 1))
        span, rest = text[begin : begin + size], text[:begin] + text[begin + size :]
        place = int(rng.integers(0, len(rest) + 1))
        text = rest[:place] + span + rest[place:]
    return text


def find_edits(text: Sequence[int], true: Sequence[int], rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """What to put in the place of each word of `text`, and into each of its gaps, to come closer to the true one.

    Where several words are missing in a gap, one of them is drawn.
    """
    words, gaps = list(text), [NOTHING] * (len(text) + 1)
    for kind, begin, end, first, last in SequenceMatcher(None, text, true, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        shared = min(end - begin, last - first)
        words[begin : begin + shared] = true[first : first + shared]
        words[begin + shared : end] = [DELETE] * (end - begin - shared)
        if last - first > shared:
            gaps[begin + shared] = int(rng.choice(true[first + shared : last]))
    return words, gaps
