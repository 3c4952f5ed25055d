"""The search for one text: edits are ranked, asked of the encoder, and kept where they bring the vector closer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

import numpy as np

from vestige.attacks.guided.edits import best_edits
from vestige.attacks.guided.palette import Palette, Text, WordStock
from vestige.types import Vectors

FEWEST, MOST = 16, 256
SAME_WORD = 4
TRUST = 0.7
LONGEST = 60
PATIENCE = 6
WIDEN = (1, 3)
CLOSER = 1e-4
THERE = 1 - 1e-5


@dataclass(frozen=True)
class Candidate:
    """A text that was asked, its vector, its cosine with the target, and what it is worth: cosine and fluency."""

    text: Text
    vector: Vectors
    cosine: float
    worth: float


class Search:
    """A beam of candidates for one target: `ask` gives the texts to encode next, `answer` takes their vectors.

    All vectors have unit length.

    A round asks few texts while that helps, twice as many after each round without gain, and the search ends when
    large rounds bring nothing, or when the vector is met. `trail` has the best candidate after each round, with the
    number of texts asked until then.
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
        self.beam: list[Candidate] = []
        self.known: set[Text] = set()
        self.idle = 0
        self.trail: list[tuple[int, Candidate]] = []

    @property
    def spent(self) -> int:
        """Texts asked so far."""
        return self.trail[-1][0] if self.trail else 0

    def ask(self, left: int) -> list[Text]:
        """The texts of the next round, at most `left`; none when the search is over."""
        if not self.beam:
            texts = list(dict.fromkeys(self.starts))[:left]
        elif left <= 0 or self.idle >= PATIENCE or self.beam[0].cosine > THERE:
            texts = []
        else:
            texts = self._edited(min(left, FEWEST * 2**self.idle, MOST))
        self.known.update(texts)
        return texts

    def answer(self, texts: Sequence[Text], vectors: Vectors) -> None:
        """Keep the best of the beam and of what was asked."""
        before = self.beam[0].worth if self.beam else -np.inf
        asked = [self._candidate(text, vector) for text, vector in zip(texts, vectors, strict=True)]
        self.beam = nlargest(self.width, [*self.beam, *asked], key=lambda candidate: candidate.worth)
        self.idle = 0 if self.beam[0].worth > before + CLOSER else self.idle + 1
        self.trail.append((self.spent + len(texts), self.beam[0]))
        if self.idle in WIDEN:
            best = self.beam[0]
            self.palette = self.stock.widened(self.palette, best.vector, self.target, len(best.text))

    def _candidate(self, text: Text, vector: Vectors) -> Candidate:
        cosine = float(vector @ self.target)
        fluency = float(self.palette.fluency(np.array([text]))[0])
        return Candidate(text, vector, cosine, cosine + self.weight * fluency)

    def _edited(self, most: int) -> list[Text]:
        """The most promising edits of the whole beam that were never asked, no word put in too often."""
        edits = [
            (candidate.worth - candidate.cosine + edit.worth, edit)
            for candidate in self.beam
            for edit in best_edits(
                candidate.text, candidate.vector, self.target, self.palette, weight=self.weight / TRUST, most=3 * most
            )
        ]
        edits.sort(key=lambda pair: -pair[0])
        chosen: list[Text] = []
        put_in: Counter[int] = Counter()
        for _, edit in edits:
            new = edit.text not in self.known and len(edit.text) <= LONGEST
            if new and edit.text not in chosen and (edit.word is None or put_in[edit.word] < SAME_WORD):
                chosen.append(edit.text)
                put_in.update([edit.word] if edit.word is not None else [])
            if len(chosen) == most:
                break
        return chosen
