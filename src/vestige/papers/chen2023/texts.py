"""The documents of a table: targets, the adversary's pool, and external documents (Chen 2023, Chapter 5)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.case.cache import compute_digest, read_cached, write_cached
from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.chen2023.setup import ChenSizes
from vestige.papers.notes import explain_missing_corpus
from vestige.papers.public_text import load_encyclopedia
from vestige.papers.run import PaperRun
from vestige.text.corpora import is_available, load_corpus
from vestige.text.corpus import Corpus
from vestige.text.importance import (
    ImportantWords,
    KeyBertImportance,
    TfidfImportance,
    Weigher,
    YakeImportance,
    content_forms,
)
from vestige.text.split import find_copies, split_documents
from vestige.text.words import word_spans
from vestige.types import Encoder, Progress, silent

CORPORA = {"20 News": "newsgroups", "AG News": "agnews", "IMDB": "imdb", "Clinical": "pubmed"}
SPARE = 4
"""Candidates per document of the pool, since documents with few words of the vocabulary are dropped."""

TIMES_RARER = 10

TUNED = {"newsgroups": 2000, "agnews": 2000, "imdb": 2000}
"""The settings of our default were chosen on the first so many documents of these corpora, which are never scored."""


@dataclass(frozen=True)
class StudyDocuments:
    """One document per row. The vocabulary comes from the adversary's documents, `studied`, which include the pool.

    `validation` are further documents of the adversary, on which published networks choose their best epoch; `dropped`
    counts the external documents that are too short.
    """

    targets: Corpus
    pool: Corpus
    external: Corpus
    studied: Corpus
    words: ImportantWords
    validation: Corpus
    dropped: int

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""
        return [self.targets, self.pool, self.validation, self.external]

    def shrink_pool(self, size: int) -> "StudyDocuments":
        """The same with a smaller pool."""
        return replace(self, pool=self.pool.take(range(min(size, len(self.pool)))))

    def restrict_to_subject(self) -> "StudyDocuments":
        """The same with only the words of the subject: those ten times rarer in the external documents."""
        own, external = (_shares(corpus.texts) for corpus in (self.studied, self.external))
        subject = tuple(word for word in self.words.words if own[word] >= TIMES_RARER * external[word])
        return replace(self, words=ImportantWords(subject, self.words.tagged))

    def weigher(self, importance: str, encoder: Encoder, progress: Progress = silent, *, unit: bool = True) -> Weigher:
        """The measure of importance; KeyBERT queries the adversary's own encoder, TF-IDF may have `unit` length."""
        if importance == "KeyBERT":
            return KeyBertImportance(self.words, encoder, progress=progress)
        if importance == "YAKE":
            return YakeImportance(self.words, progress=progress)
        return TfidfImportance(self.words, self.studied.texts, unit=unit)


def choose_corpus(run: PaperRun[ChenSizes], dataset: str) -> str:
    """The corpus that stands in for a data set; complaints for clinical records if nothing nearer is available."""
    name = run.sizes.corpus or CORPORA[dataset]
    return "complaints" if dataset == "Clinical" and not is_available(name) else name


def explain_missing(run: PaperRun[ChenSizes], dataset: str) -> str | None:
    """Why a data set is skipped; None if its texts are available."""
    name = choose_corpus(run, dataset)
    return None if is_available(name) else explain_missing_corpus(name)


def read_documents(run: PaperRun[ChenSizes], dataset: str) -> StudyDocuments:
    """Documents that are long enough; pool, validation and targets share no document and no text.

    No target is among the documents on which our defaults were chosen.
    """
    sizes = run.sizes
    corpus = load_corpus(choose_corpus(run, dataset))
    sides = split_documents(corpus.documents, 0.5, stream(run.seed, "sides"))
    fresh = [row for row in sides.target if row >= TUNED.get(corpus.name, 0)]
    corpus = add_headers(corpus) if sizes.headers and corpus.name == "newsgroups" else corpus
    own, others = (
        shorten(corpus.take(_draw(rows, most, run.seed)), sizes.longest)
        # Twice the spare candidates for targets, since dropped ones cost nothing there.
        for rows, most in (
            (sides.auxiliary, SPARE * (sizes.pool + sizes.validation)),
            (fresh, 2 * SPARE * sizes.targets),
        )
    )
    copied = set(find_copies(own.texts, others.texts))
    studied = own.take([row for row in range(len(own)) if row not in copied])
    words = build_vocabulary(run, studied)
    known = _select_long(studied, words, sizes.shortest, sizes.pool + sizes.validation)
    pool, further = known.take(range(min(sizes.pool, len(known)))), known.take(range(sizes.pool, len(known)))
    targets = _select_long(others, words, sizes.shortest, sizes.targets)
    external, dropped = select_external(run, words)
    return StudyDocuments(targets, pool, external, studied, words, further, dropped)


def build_vocabulary(run: PaperRun[ChenSizes], studied: Corpus) -> ImportantWords:
    """The words to rank; those of an earlier run with the same texts are read from its cache, since tagging is slow."""
    sizes = run.sizes
    stored = None
    if run.cache is not None:
        stored = run.cache / "words" / f"{compute_digest(studied, sizes.rarest, sizes.tagger)}.json"
        if (known := read_cached(ImportantWords, stored)) is not None:
            return known
    words = ImportantWords.build(studied.texts, rarest=sizes.rarest, any_kind=not sizes.tagger)
    if stored is not None:
        write_cached(words, stored)
    return words


def select_external(run: PaperRun[ChenSizes], words: ImportantWords) -> tuple[Corpus, int]:
    """External documents that are long enough, evenly spread over the corpus, and how many of it are too short."""
    sizes = run.sizes
    paragraphs = shorten(load_encyclopedia(sizes.public_corpus), sizes.longest)
    rows = words.long_enough(paragraphs.texts, sizes.shortest)
    if not rows:
        raise InputError(
            f"no text of '{paragraphs.name}' has {sizes.shortest} words of the vocabulary; name another corpus with "
            "--set public_corpus=NAME, or lower --set shortest"
        )
    spread = np.linspace(0, len(rows), min(sizes.external, len(rows)), endpoint=False).astype(int)
    return paragraphs.take([rows[place] for place in spread]), len(paragraphs) - len(rows)


def add_headers(corpus: Corpus) -> Corpus:
    """Posts with the headers that can be rebuilt: who wrote it, the subject, and the number of lines."""
    columns = zip(corpus.attributes["author"], corpus.attributes["subject"], corpus.texts, strict=True)
    texts = [
        f"From: {author}\nSubject: {subject}\nLines: {len(text.splitlines())}\n\n{text}"
        for author, subject, text in columns
    ]
    return replace(corpus, texts=texts)


def _draw(rows: Sequence[int], most: int, seed: int) -> list[int]:
    """So many rows in random order, since the first ones that are long enough are taken."""
    return [rows[place] for place in stream(seed, "documents").permutation(len(rows))[:most]]


def shorten(corpus: Corpus, longest: int) -> Corpus:
    """The first `longest` words of every text."""
    return replace(corpus, texts=[_first_words(text, longest) for text in corpus.texts])


def _shares(texts: Sequence[str]) -> defaultdict[str, float]:
    """The share of the texts that contain each word."""
    counts = Counter(word for text in texts for word in set(content_forms(text)))
    return defaultdict(float, {word: count / len(texts) for word, count in counts.items()})


def _first_words(text: str, longest: int) -> str:
    spans = word_spans(text)
    return text if len(spans) <= longest else text[: spans[longest - 1][1]]


def _select_long(corpus: Corpus, words: ImportantWords, shortest: int, most: int) -> Corpus:
    rows = words.long_enough(corpus.texts, shortest)[:most]
    if not rows:
        raise InputError(f"no text of '{corpus.name}' has {shortest} words of the vocabulary; give longer texts")
    return corpus.take(rows)
