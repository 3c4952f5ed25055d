"""Texts for keyword inference: airline reviews and medical descriptions (Pan et al. 2020, Section VI-C)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.metrics.keyword_accuracy import BalancedTests
from vestige.papers.notes import explain_missing_corpus
from vestige.papers.pan2020.setup import PanSizes
from vestige.papers.public_text import first_available
from vestige.papers.run import PaperRun
from vestige.text.corpora import is_available, load_corpus
from vestige.text.corpus import Corpus
from vestige.text.keywords import keyword_table
from vestige.text.sensitive import sensitive_words
from vestige.text.split import sample_rows, split_documents
from vestige.text.substitution import build_external_examples
from vestige.types import Flags

SHORTEST, LONGEST = 4, 25
SHADOW_SHARE = 0.1
FEWEST = 30
DOCUMENTS_EACH = 3
"""Documents per external sentence: enough to find a sentence with the frequent word."""

PIVOTS = {"imdb": "film", "speeches": "government"}
"""A frequent word of each external corpus, like "salad" in restaurant reviews: keywords replace it."""

CITIES = ("Hong Kong", "London", "Toronto", "Paris", "Rome", "Sydney", "Dubai", "Bangkok", "Singapore", "Frankfurt")
BODY = ("leg", "hand", "spine", "chest", "ankle", "head", "hip", "arm", "face", "shoulder")
"""The keywords of Table VIII."""

SUBSTITUTES = {"Toronto": "Heathrow", "Paris": "Chicago", "Rome": "Doha"}
"""Places for the cities that too few lounge reviews contain to test."""

CORPORA = {"Airline": "lounge_reviews", "Medical": "pubmed"}
KEYWORDS = {"lounge_reviews": tuple(SUBSTITUTES.get(city, city) for city in CITIES), "pubmed": BODY}


@dataclass(frozen=True)
class KeywordStudy:
    """Sentences under attack, similar sentences that the white-box adversary holds, and keywords to infer."""

    section: str
    keywords: tuple[str, ...]
    targets: Corpus
    shadow: Corpus
    seed: int

    @cached_property
    def truth(self) -> Flags:
        """Which target contains which keyword."""
        return keyword_table(self.targets.texts, self.keywords)

    @cached_property
    def tests(self) -> BalancedTests:
        """A balanced test set for each keyword."""
        return BalancedTests.draw(self.keywords, self.truth, self.targets.documents, stream(self.seed, "tests"))


@dataclass(frozen=True)
class KeywordCorpus:
    """Sentences of a corpus, split by document into targets (nine tenths) and a shadow corpus (one tenth)."""

    section: str
    targets: Corpus
    shadow: Corpus
    keywords: tuple[str, ...]

    def study(self, keywords: Sequence[str], each: int, shadow: int, seed: int) -> KeywordStudy:
        """At most `each` targets per keyword, as many without any keyword, and `shadow` shadow sentences."""
        rng = stream(seed, "targets")
        held = keyword_table(self.targets.texts, keywords)
        with_one: set[int] = set()
        for column in held.T:
            with_one.update(sample_rows(np.flatnonzero(column).tolist(), each, rng))
        without = sample_rows(np.flatnonzero(~held.any(axis=1)).tolist(), len(with_one), rng)
        targets = self.targets.take(rng.permutation(sorted(with_one | set(without))).tolist())
        some = self.shadow.take(rng.permutation(len(self.shadow))[:shadow].tolist())
        return KeywordStudy(self.section, tuple(keywords), targets, some, seed)

    def halve(self, seed: int) -> tuple["KeywordCorpus", "KeywordCorpus"]:
        """Two corpora that share the shadow corpus and have half of the other documents each."""
        halves = split_documents(self.targets.documents, 0.5, stream(seed, "owner"))
        first, second = (self.targets.take(rows) for rows in (halves.target, halves.auxiliary))
        return replace(self, targets=first), replace(self, targets=second)


def choose_corpus(run: PaperRun[PanSizes], section: str) -> str:
    """The corpus that stands in for a section; complaints for medical descriptions if nothing nearer is available."""
    if section == "Airline":
        return run.sizes.airline or CORPORA[section]
    return run.sizes.medical or first_available(CORPORA[section], "complaints")


def explain_missing(run: PaperRun[PanSizes], section: str) -> str | None:
    """Why a section is skipped; None if its texts are available."""
    name = choose_corpus(run, section)
    return None if is_available(name) else explain_missing_corpus(name)


def read_split(run: PaperRun[PanSizes], section: str) -> KeywordCorpus:
    """The corpus that stands in for a section, split."""
    corpus = load_corpus(choose_corpus(run, section)).sentences(SHORTEST, LONGEST)
    parts = split_documents(corpus.documents, 1 - SHADOW_SHARE, stream(run.seed, "split"))
    keywords = KEYWORDS.get(corpus.name) or tuple(sensitive_words(corpus.texts, corpus.documents, FEWEST)[:10])
    if not keywords:
        raise InputError(f"{corpus.name} has no keyword that occurs in {FEWEST} documents; give more texts")
    return KeywordCorpus(section, corpus.take(parts.target), corpus.take(parts.auxiliary), keywords)


def read_study(run: PaperRun[PanSizes], section: str) -> KeywordStudy:
    """The study of the paper: ten keywords."""
    sides = read_split(run, section)
    return sides.study(sides.keywords, run.sizes.each, run.sizes.shadow, run.seed)


def read_public_sentences(run: PaperRun[PanSizes]) -> Corpus:
    """Sentences of a public corpus with another subject than the targets."""
    corpus = load_corpus(run.sizes.public_corpus or first_available("imdb", "speeches"))
    rows = sample_rows(range(len(corpus)), DOCUMENTS_EACH * run.sizes.external, stream(run.seed, "elsewhere"))
    return corpus.take(rows).sentences(SHORTEST, LONGEST)


@dataclass(frozen=True)
class ExternalCorpus:
    """Public sentences, each without a keyword and once with each; `labels` has one column per keyword.

    `blocks` has the number of sentences without a keyword put in, then with each. They are fewer for a keyword that
    public sentences contain already. `counted` says for which keyword a sentence is an example in the paper.
    """

    corpus: Corpus
    labels: Flags
    blocks: tuple[int, ...]
    counted: Flags

    def first(self, sentences: int) -> list[int]:
        """The rows of the first so many sentences of every block."""
        starts = np.cumsum([0, *self.blocks[:-1]]).tolist()
        return [
            start + row for start, size in zip(starts, self.blocks, strict=True) for row in range(min(sentences, size))
        ]

    @property
    def sentences(self) -> int:
        """The number of sentences before keywords are inserted."""
        return self.blocks[0]


def read_external(run: PaperRun[PanSizes], public: Corpus, keywords: Sequence[str], size: int) -> ExternalCorpus:
    """Sentences with a frequent word that keywords replace."""
    pivot, rng = PIVOTS.get(public.name), stream(run.seed, "external")
    made = build_external_examples(public.texts, keywords, size=size, rng=rng, pivot=pivot)
    return ExternalCorpus(Corpus(public.name, made.texts), made.labels, made.blocks, made.counted)


@dataclass(frozen=True)
class KeywordTexts:
    """All texts of a keyword attack."""

    study: KeywordStudy
    external: ExternalCorpus

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""
        return [self.study.targets, self.study.shadow, self.external.corpus]

    def only(self, column: int) -> "KeywordTexts":
        """The same texts, for one keyword."""
        study = replace(self.study, keywords=(self.study.keywords[column],))
        labels, counted = self.external.labels[:, [column]], self.external.counted[:, [column]]
        return KeywordTexts(study, replace(self.external, labels=labels, counted=counted))
