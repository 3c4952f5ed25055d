"""The two case studies of keyword inference: airline reviews and medical descriptions (Section VI-C)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.metrics.accuracy import BalancedTests
from vestige.papers.elsewhere import first_present
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.run import Run
from vestige.text.corpus import Corpus
from vestige.text.keywords import keyword_table
from vestige.text.named import is_present, load_corpus
from vestige.text.sensitive import sensitive_words
from vestige.text.split import sample_rows, split_documents
from vestige.text.substitution import external_examples
from vestige.types import Flags

SHORTEST, LONGEST = 4, 25
SHADOW_SHARE = 0.1
FEWEST = 30
DOCUMENTS_EACH = 3
"""So many documents have a sentence with the frequent word, and then some."""

PIVOTS = {"imdb": "film", "speeches": "government"}
"""A frequent word of the external corpus, as "salad" is of restaurant reviews: keywords are put in its place."""

PLACES = ("Singapore", "Heathrow", "Sydney", "London", "Dubai", "Hong Kong", "Chicago", "Doha", "Bangkok", "Frankfurt")
BODY = ("leg", "hand", "spine", "chest", "ankle", "head", "hip", "arm", "face", "shoulder")

CORPORA = {"Airline": "lounge_reviews", "Medical": "pubmed"}
KEYWORDS = {"lounge_reviews": PLACES, "pubmed": BODY}


@dataclass(frozen=True)
class Study:
    """Sentences under attack, sentences like them that the white-box adversary has, and keywords to look for."""

    section: str
    keywords: tuple[str, ...]
    targets: Corpus
    shadow: Corpus
    seed: int

    @cached_property
    def truth(self) -> Flags:
        """Which target holds which keyword."""
        return keyword_table(self.targets.texts, self.keywords)

    @cached_property
    def tests(self) -> BalancedTests:
        """For each keyword a balanced test set."""
        return BalancedTests.draw(self.keywords, self.truth, self.targets.documents, stream(self.seed, "tests"))


@dataclass(frozen=True)
class Sides:
    """Sentences of a corpus, parted by document 10 to 1 into those under attack and those like them."""

    section: str
    targets: Corpus
    shadow: Corpus
    keywords: tuple[str, ...]

    def study(self, keywords: Sequence[str], each: int, shadow: int, seed: int) -> Study:
        """At most `each` targets with each keyword, and as many without any; so much of the shadow corpus."""
        rng = stream(seed, "targets")
        held = keyword_table(self.targets.texts, keywords)
        with_one: set[int] = set()
        for column in held.T:
            with_one.update(sample_rows(np.flatnonzero(column).tolist(), each, rng))
        without = sample_rows(np.flatnonzero(~held.any(axis=1)).tolist(), len(with_one), rng)
        targets = self.targets.take(rng.permutation(sorted(with_one | set(without))).tolist())
        kept = self.shadow.take(rng.permutation(len(self.shadow))[:shadow].tolist())
        return Study(self.section, tuple(keywords), targets, kept, seed)


def corpus_of(run: Run[Sizes], section: str) -> str:
    """What stands for the texts of a section; complaints for medical descriptions where there is nothing nearer."""
    if section == "Airline":
        return run.sizes.airline or CORPORA[section]
    return run.sizes.medical or first_present(CORPORA[section], "complaints")


def missing(run: Run[Sizes], section: str) -> str | None:
    """Why a section is left out, where its texts are not here."""
    name = corpus_of(run, section)
    if is_present(name):
        return None
    return f"corpus '{name}' is not here; name its folder in the environment variable VESTIGE_DATA"


def read_sides(run: Run[Sizes], section: str) -> Sides:
    """The corpus that stands for a section, parted."""
    corpus = load_corpus(corpus_of(run, section)).sentences(SHORTEST, LONGEST)
    parts = split_documents(corpus.documents, 1 - SHADOW_SHARE, stream(run.seed, "split"))
    keywords = KEYWORDS.get(corpus.name) or tuple(sensitive_words(corpus.texts, corpus.documents, FEWEST)[:10])
    if not keywords:
        raise InputError(f"{corpus.name} holds no keyword in {FEWEST} documents; give more texts")
    return Sides(section, corpus.take(parts.target), corpus.take(parts.auxiliary), keywords)


def read_study(run: Run[Sizes], section: str) -> Study:
    """The study as the paper has it: ten keywords."""
    sides = read_sides(run, section)
    return sides.study(sides.keywords, run.sizes.each, run.sizes.shadow, run.seed)


def read_elsewhere(run: Run[Sizes]) -> Corpus:
    """Sentences of a public corpus that has nothing to do with the targets."""
    corpus = load_corpus(run.sizes.elsewhere or first_present("imdb", "speeches"))
    rows = sample_rows(range(len(corpus)), DOCUMENTS_EACH * run.sizes.external, stream(run.seed, "elsewhere"))
    return corpus.take(rows).sentences(SHORTEST, LONGEST)


@dataclass(frozen=True)
class External:
    """The external corpus: sentences of it, and each again with a keyword in it; `labels` has a column a keyword."""

    corpus: Corpus
    labels: Flags

    def first(self, sentences: int) -> list[int]:
        """The rows that so many of its sentences give: each without a keyword, then with each."""
        blocks = range(0, len(self.corpus), self.sentences)
        return [block + row for block in blocks for row in range(min(sentences, self.sentences))]

    @property
    def sentences(self) -> int:
        """How many of them there are, before keywords are put in."""
        return len(self.corpus) // (1 + len(self.labels.T))


def read_external(run: Run[Sizes], elsewhere: Corpus, keywords: Sequence[str], size: int) -> External:
    """Sentences with one frequent word, in the place of which keywords are put."""
    pivot, rng = PIVOTS.get(elsewhere.name), stream(run.seed, "external")
    made = external_examples(elsewhere.texts, keywords, size=size, rng=rng, pivot=pivot)
    return External(Corpus(elsewhere.name, made.texts), made.labels)


@dataclass(frozen=True)
class Texts:
    """All the texts of an attack on keywords."""

    study: Study
    external: External

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are asked for."""
        return [self.study.targets, self.study.shadow, self.external.corpus]
