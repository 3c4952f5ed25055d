"""The texts of the inversion tables: paragraphs of one domain against the others (Corò 2022, Section 4.3.1)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.coro2022.setup import CoroSizes
from vestige.papers.public_text import first_available
from vestige.papers.run import PaperRun
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.languages import separate_elisions
from vestige.text.sentences import split_sentences
from vestige.text.words import words

SHORTEST, LONGEST, PARAGRAPH = 8, 40, 128
TEST_SHARE = 0.3

DOMAINS = {
    "newsgroups": ("topic", "sci."),
    "complaints": ("product", "Credit reporting"),
    "imdb": ("label", "pos"),
}
"""The attribute that gives the domain of a text, and how the values of the domain under attack begin."""

_QUOTED = re.compile(r"^\s*(?:[>|:}]|\w{1,4}>)|(?:writes|wrote|says|said)\s*:?\s*$|^In article ", re.IGNORECASE)


@dataclass(frozen=True)
class Paragraph:
    """Consecutive sentences of one document."""

    document: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class DomainSide:
    """Paragraphs, whole or sentence by sentence."""

    name: str
    parts: tuple[Paragraph, ...]

    @cached_property
    def sentences(self) -> Corpus:
        """One row per sentence."""
        pairs = [(sentence, part.document) for part in self.parts for sentence in part.sentences]
        return Corpus(self.name, [sentence for sentence, _ in pairs], [document for _, document in pairs])

    @cached_property
    def paragraphs(self) -> Corpus:
        """One row per paragraph."""
        texts = [" ".join(part.sentences) for part in self.parts]
        return Corpus(self.name, texts, [part.document for part in self.parts])

    def merge_sentences(self, guesses: Sequence[frozenset[str]]) -> list[frozenset[str]]:
        """The guesses for the sentences, merged by paragraph."""
        ends = np.cumsum([len(part.sentences) for part in self.parts])
        return [
            frozenset().union(*guesses[end - len(part.sentences) : end])
            for part, end in zip(self.parts, ends, strict=True)
        ]

    def take_sentences(self, sentences: int) -> "DomainSide":
        """The first paragraphs, with at least so many sentences."""
        ends = np.cumsum([len(part.sentences) for part in self.parts])
        return DomainSide(self.name, self.parts[: int(np.searchsorted(ends, sentences)) + 1])


@dataclass(frozen=True)
class DomainSplit:
    """Training texts of the domain and of other domains, and test texts of the domain."""

    in_domain: DomainSide
    cross_domain: DomainSide
    test: DomainSide
    domain: str

    @property
    def sentences(self) -> list[Corpus]:
        """All sentences whose vectors are needed."""
        return [side.sentences for side in (self.in_domain, self.cross_domain, self.test)]

    @property
    def paragraphs(self) -> list[Corpus]:
        """All paragraphs whose vectors are needed."""
        return [side.paragraphs for side in (self.in_domain, self.cross_domain, self.test)]

    def training(self, section: str) -> DomainSide:
        """The training texts of a section of a table."""
        return {"In-domain": self.in_domain, "Cross-domain": self.cross_domain}[section]


def read_split(run: PaperRun[CoroSizes]) -> DomainSplit:
    """One domain, 70% of its paragraphs for training and 30% for the test; all others are the cross-domain side."""
    sizes, seen = run.sizes, set[str]()
    own, others, domain = _by_domain(sizes.corpus, sizes.domain)
    inside, outside = (build_paragraphs(corpus, seen, sizes.language) for corpus in (own, others))
    rng = stream(run.seed, "split")
    inside = [inside[place] for place in rng.permutation(len(inside))]
    outside = [outside[place] for place in rng.permutation(len(outside))]
    cut = round(TEST_SHARE * len(inside))
    if min(cut, len(outside)) < 10:
        raise InputError(
            f"{own.name} has {len(inside)} paragraphs of {PARAGRAPH} words in the domain under attack and "
            f"{len(outside)} outside; expected at least 34 and 10; give more or longer texts"
        )
    return DomainSplit(
        DomainSide(own.name, tuple(inside[cut:])).take_sentences(run.sizes.train),
        DomainSide(own.name, tuple(outside)).take_sentences(run.sizes.cross),
        DomainSide(own.name, tuple(inside[:cut])).take_sentences(run.sizes.targets),
        domain,
    )


def build_paragraphs(corpus: Corpus, seen: set[str], language: str = "en") -> list[Paragraph]:
    """Sentences of 8 to 40 words of at least two characters, in lower case, joined until they have 128 words.

    The rest at the end of a document makes no paragraph. A sentence that was `seen` before, such as a signature, is
    skipped.
    """
    built = []
    for text, document in zip(corpus.texts, corpus.documents, strict=True):
        gathered: list[str] = []
        count = 0
        # Lower case comes after the split, which needs capital letters.
        for sentence in (separate_elisions(found.lower(), language) for found in split_sentences(text, language)):
            size = sum(len(word) > 1 for word in words(sentence))
            if not SHORTEST <= size <= LONGEST or sentence in seen:
                continue
            seen.add(sentence)
            gathered.append(sentence)
            count += size
            if count >= PARAGRAPH:
                built.append(Paragraph(document, tuple(gathered)))
                gathered, count = [], 0
    return built


def load_articles(name: str) -> Corpus:
    """The corpus by name; newsgroup posts lose the lines they quote, which would be on two sides."""
    corpus = load_corpus(name)
    if name != "newsgroups":
        return corpus
    texts = ["\n".join(line for line in text.split("\n") if not _QUOTED.search(line)) for text in corpus.texts]
    documents = [
        f"{topic}/{number}" for topic, number in zip(corpus.attributes["topic"], corpus.documents, strict=True)
    ]
    return Corpus(corpus.name, texts, documents, corpus.attributes)


def _by_domain(name: str, domain: str = "") -> tuple[Corpus, Corpus, str]:
    """The texts of the domain under attack, all others, and the name of the domain."""
    name = name or first_available("newsgroups", "complaints")
    attribute, beginning = _find_domain(name, domain)
    corpus = load_articles(name)
    if attribute not in corpus.attributes:
        known = ", ".join(corpus.attributes) or "none"
        raise InputError(f"corpus '{corpus.name}' has no column '{attribute}'; its columns: {known}")
    ours = [str(value).startswith(beginning) for value in corpus.attributes[attribute]]
    own = corpus.take([row for row, is_ours in enumerate(ours) if is_ours])
    return own, corpus.take([row for row, is_ours in enumerate(ours) if not is_ours]), f"'{beginning}' of {corpus.name}"


def _find_domain(name: str, domain: str) -> tuple[str, str]:
    attribute, colon, beginning = domain.partition(":")
    if colon:
        return attribute, beginning
    if domain or name not in DOMAINS:
        raise InputError(
            f"the domain under attack in '{name}' is '{domain}'; name a column and how its values begin, as in "
            "--set domain=category:Economy"
        )
    return DOMAINS[name]
