"""A plugin of every kind, each as small as it can be. TOYS_LOG names a file that lists which of them ran."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Any, ClassVar, Self

import numpy as np
import pyarrow as pa
from scipy.spatial.distance import cdist

from vestige.attacks.attack import AttackInfo
from vestige.case.case import Case, Knowledge, Missing
from vestige.case.findings import Adversary, Finding, Measure
from vestige.case.level import find_doubts, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.scorer import Scorer
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.probes.probe import Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards
from vestige.stores.table import Positions, VectorTable
from vestige.text.words import content_words
from vestige.types import Progress, Vectors, WordGuesses, silent


def log(name: str) -> None:
    with Path(os.environ["TOYS_LOG"]).open("a") as file:
        file.write(f"{name}\n")


class Letters:
    """Counts of the letters of each text, at unit length."""

    name = identity = "letters"
    dimension = 26

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        log("encoder")
        advance = progress("encoding", len(texts))
        rows = np.array([[text.lower().count(letter) for letter in ascii_lowercase] for text in texts], np.float32)
        advance(len(texts))
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def load_letters(argument: str, **_options: Any) -> Letters:
    """counts of the letters, 26 dimensions"""
    assert not argument
    return Letters()


class ToyJsonTable(VectorTable):
    """toy-json:FILE, an object with the lists "vector" and "text" """

    def __init__(self, where: str, name: str | None) -> None:
        assert name is None
        log("store")
        self._table = pa.table(json.loads(Path(where).read_text()))
        self.place, self.rows, self.schema = f"toy-json:{where}", self._table.num_rows, self._table.schema

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        return self._table.select(names).take(positions)


class NearestTextWords:
    """Guesses the words of the text whose vector is nearest."""

    info = AttackInfo(
        name="nearest-text-words",
        summary="the words of the nearest text",
        output=WordGuesses,
        access=("pairs",),
        audited=True,
    )

    def fit(self, vectors: Vectors, texts: Sequence[str], **_more: Any) -> Self:
        log("attack")
        self.vectors_, self.words_ = vectors, [content_words(text) for text in texts]
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        nearest = [self.words_[row] for row in (vectors @ self.vectors_.T).argmax(axis=1)]
        return WordGuesses(
            [frozenset(words) for words in nearest], [[(word, 1.0) for word in words] for words in nearest]
        )


class LastColumns(FixedMap):
    """Keeps the last columns."""

    info = DefenseInfo("last-columns", "last-columns:COLUMNS, the last columns alone", strength="columns")

    def __init__(self, columns: int = 8) -> None:
        self.columns = columns

    def _fit(self, _vectors: Vectors, _labels: Any, _rng: np.random.Generator) -> None:
        log("defense")

    def _transform_block(self, vectors: Vectors) -> Vectors:
        return vectors[:, -self.columns :]


def find_vowel(text: str) -> str:
    return max("ue", key=text.count)


class FrequentVowelSetup(Setup):
    """Whether e or u is more frequent in each target text, inferred by the nearer mean of the adversary's vectors."""

    name = "frequent-vowel"
    measure = "More frequent vowels inferred"
    attack = "the nearer of two mean vectors"

    def __init__(self, case: Case, seed: int) -> None:
        assert case.truth is not None
        self._vowels = [find_vowel(text) for text in case.truth.texts]
        self._scorer = Scorer(case.truth.documents, seed)
        (common, _), *_ = Counter(map(find_vowel, case.auxiliary["same-domain"].texts)).most_common(1)
        self._prior = self._compare([common] * len(self._vowels))

    def fit(self, knowledge: Knowledge, _draws: int, _progress: Progress) -> Fitted:
        pairs = knowledge.auxiliary
        vowels = np.array([find_vowel(text) for text in pairs.texts])
        means = np.stack([pairs.vectors[vowels == vowel].mean(axis=0) for vowel in "ue"])
        return lambda vectors: ["ue"[row] for row in cdist(vectors, means).argmin(axis=1)]

    def score(self, guesses: Any) -> ProbeScore:
        hits = self._compare(guesses)
        return ProbeScore(
            self._scorer.score(hits), self._scorer.score(self._prior), self._scorer.gain(hits - self._prior)
        )

    def _compare(self, guesses: Sequence[str]) -> Any:
        return np.array([float(guess == vowel) for guess, vowel in zip(guesses, self._vowels, strict=True)])


@dataclass(frozen=True)
class FrequentVowelProbe(Probe):
    """Infers whether e or u is more frequent in each text."""

    measures: ClassVar[dict[str, str]] = {"accuracy": FrequentVowelSetup.measure}
    standards: ClassVar[Standards] = Standards(("LLM08:2025",), ("AML.T0024.001",))

    name: str = "frequent-vowel"
    question: str = "Can a stranger infer whether e or u is more frequent in a text?"

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        return (cls(),)

    def estimate_queries(self, _plan: CasePlan) -> Iterator[str]:
        return iter(())

    def open(self, case: Case, run: Run, _effort: Effort = "full") -> Sequence[Setup] | Missing:
        if case.truth is None or "same-domain" not in case.auxiliary:
            return Missing("there are no texts", "give them with --texts")
        return [FrequentVowelSetup(case, run.settings.seed)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        log("probe")
        setups = self.open(case, run)
        if isinstance(setups, Missing):
            return setups
        (setup,), knowledge = setups, case.knowledge("same-domain")
        fitted = setup.fit(knowledge, 1, run.progress)
        guesses = fitted(case.targets)
        scored, control = setup.score(guesses), setup.score_control(fitted, case.targets, guesses)
        measure = Measure("accuracy", setup.measure, scored.attack, scored.prior, control.attack)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=setup.attack,
            headline="accuracy",
            level=grade_leakage(scored.leakage),
            summary=f"A stranger infers {scored.attack.value:.0%} of the vowels.",
            strip=None,
            leakage=scored.leakage,
            measures=(measure,),
            charts=(),
            examples=(),
            adversary=Adversary(("pairs",), len(knowledge.auxiliary.texts), 0),
            warnings=find_doubts(measure),
        )
