"""What was recovered from the stored vectors: by word, by document, and as a map."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vestige.case.findings import Chart, Example
from vestige.case.scorer import Scorer
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.words_evidence import by_frequency, divide_by_frequency, most_readable
from vestige.text.keywords import keyword_table
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Flags, Floats, Progress, Score
from vestige.view.attacker import Attacker

LEAST_CLAIMED = 0.5


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word of the stored texts: in how many it is, in how many of these it was recovered, and false claims."""

    word: str
    band: int
    present: int
    recovered: int
    wrong: int

    @property
    def recall(self) -> float:
        """The share of its texts in which it was recovered."""
        return self.recovered / self.present if self.present else 0.0


@dataclass(frozen=True, slots=True)
class DocumentLeak:
    """One stored text of a document and everything that its vector reveals; `gain` is the F1 above guessing."""

    row: int
    text: Example
    f1: float
    gain: float
    keywords: tuple[tuple[str, float, bool], ...]
    names: tuple[str, ...]
    labels: tuple[tuple[str, str, float, bool | None], ...]


@dataclass(frozen=True, eq=False)
class Explorer:
    """The claims of an attacker about every stored vector, next to the truth, which only the owner sees."""

    attacker: Attacker
    claimed: list[frozenset[str]]
    truth: list[frozenset[str]]
    f1: Floats
    gains: Floats
    keywords: Floats | None
    held: Flags
    labels: dict[str, tuple[list[str], Floats]]

    @classmethod
    def build(cls, attacker: Attacker, progress: Progress) -> "Explorer":
        """Attack all stored vectors."""
        assert attacker.stored is not None
        advance = progress("attacking the stored vectors", 3)
        targets, texts, claimed = attacker.case.targets, attacker.truth.texts, attacker.stored
        truth = [content_words(text) for text in texts]
        f1 = word_recovery(claimed, truth).f1
        prior = word_recovery([attacker.prior] * len(truth), truth).f1
        advance(1)
        keywords = None if attacker.keyword_attack is None else attacker.infer_keywords(targets)
        advance(1)
        labels: dict[str, tuple[list[str], Floats]] = {}
        for name in attacker.labels:
            guess = attacker.infer_labels(name, targets)
            best = guess.probabilities.argmax(axis=1)
            labels[name] = [guess.labels[place] for place in best], guess.probabilities.max(axis=1)
        advance(1)
        held = keyword_table(texts, attacker.keywords)
        return cls(attacker, claimed, truth, f1, f1 - prior, keywords, held, labels)

    @property
    def digest(self) -> str:
        """The digest of the stored vectors, by which runs on the same ones are recognised."""
        return self.attacker.case.subject.digest

    @property
    def leakage(self) -> Score:
        """The mean gain over guessing, with its interval."""
        return self._scorer.gain(self.gains)

    @cached_property
    def documents(self) -> dict[int, list[int]]:
        """The rows of each document; documents are numbered in their order, as in the record of an audit."""
        places: dict[str, int] = {}
        rows: dict[int, list[int]] = {}
        for row, name in enumerate(self.attacker.truth.documents):
            rows.setdefault(places.setdefault(name, len(places)), []).append(row)
        return rows

    @cached_property
    def document_of(self) -> dict[int, int]:
        """The number of the document of each row."""
        return {row: number for number, rows in self.documents.items() for row in rows}

    @cached_property
    def charts(self) -> tuple[Chart, Chart]:
        """Words by frequency, and the words that are recovered most reliably; the charts of an audit."""
        prior = [self.attacker.prior] * len(self.truth)
        return (
            by_frequency(self.claimed, prior, self.truth, self._vocabulary, self._scorer),
            most_readable(self.claimed, self.truth, self.attacker.truth.documents),
        )

    @cached_property
    def bands(self) -> list[str]:
        """The labels of the bands of frequency."""
        return divide_by_frequency(self._vocabulary)[0]

    @cached_property
    def words(self) -> list[WordRow]:
        """Every word of the stored texts that was recovered or claimed at least once, the most often recovered first.

        A word that was never recovered is not listed: the list is what the vectors reveal, unless the owner asked to
        see the text.
        """
        band_of = divide_by_frequency(self._vocabulary)[1]
        present = Counter(word for words in self.truth for word in words)
        pairs = list(zip(self.truth, self.claimed, strict=True))
        recovered = Counter(word for words, claims in pairs for word in words & claims)
        wrong = Counter(word for words, claims in pairs for word in claims - words)
        listed = present if self.attacker.settings.show_text else recovered
        rows = [
            WordRow(word, band_of.get(word, len(self.bands) - 1), present[word], recovered[word], wrong[word])
            for word in listed
        ]
        return sorted(rows, key=lambda row: (-row.recovered, -row.recall, row.word))

    def list_unseen(self, band: int) -> int:
        """How many words of a band are in the stored texts and were never recovered, which are not named."""
        band_of = divide_by_frequency(self._vocabulary)[1]
        listed = {row.word for row in self.words}
        unseen = {word for words in self.truth for word in words} - listed
        return sum(band_of.get(word, len(self.bands) - 1) == band for word in unseen)

    def rank_documents(self) -> list[tuple[int, float]]:
        """The documents by their mean gain over guessing, the most leaked first."""
        means = [(number, float(self.gains[rows].mean())) for number, rows in self.documents.items()]
        return sorted(means, key=lambda each: (-each[1], each[0]))

    def find_word(self, word: str) -> WordRow | None:
        """The row of a word, if it is listed."""
        return next((row for row in self.words if row.word == word), None)

    def list_targets(self, word: str) -> list[int]:
        """The stored texts from whose vectors a word was recovered, the most leaked first."""
        rows = [row for row, claims in enumerate(self.claimed) if word in claims & self.truth[row]]
        return sorted(rows, key=lambda row: (-self.f1[row], row))

    def describe(self, row: int) -> DocumentLeak:
        """Everything that the vector of one stored text reveals."""
        names = self.claimed[row] & self.truth[row] & self.attacker.names.names
        return DocumentLeak(
            row,
            self.attacker.mask(row),
            float(self.f1[row]),
            float(self.gains[row]),
            self._list_keywords(row),
            tuple(sorted(names)),
            tuple(self._list_labels(row)),
        )

    def _list_keywords(self, row: int) -> tuple[tuple[str, float, bool], ...]:
        if self.keywords is None:
            return ()
        chances = self.keywords[row]
        claimed = [place for place in np.argsort(-chances, kind="stable") if chances[place] > LEAST_CLAIMED]
        return tuple(
            (self.attacker.keywords[place], float(chances[place]), bool(self.held[row, place])) for place in claimed
        )

    def _list_labels(self, row: int) -> list[tuple[str, str, float, bool | None]]:
        found: list[tuple[str, str, float, bool | None]] = []
        for name, (guessed, chances) in self.labels.items():
            true: Any = self.attacker.truth.attributes[name][row]
            right = None if true is None else guessed[row] == true
            found.append((name, guessed[row], float(chances[row]), right))
        return found

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(self.attacker.truth.documents, self.attacker.settings.seed)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        texts = self.attacker.case.auxiliary["same-domain"].all_texts
        return Vocabulary.build(map(content_words, texts), self.attacker.settings.vocabulary_size)
