"""The documents of a table: targets, the adversary's pool, and external documents (Chen 2023, Chapter 5)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class StudyDocuments:
    """One document per row. The vocabulary comes from the adversary's documents, `studied`, which include the pool."""

    targets: Corpus
    pool: Corpus
    external: Corpus
    studied: Corpus
    words: ImportantWords

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""
        return [self.targets, self.pool, self.external]

    def shrink_pool(self, size: int) -> "StudyDocuments":
        """The same with a smaller pool."""
        return replace(self, pool=self.pool.take(range(min(size, len(self.pool)))))

    def restrict_to_subject(self) -> "StudyDocuments":
        """The same with only the words of the subject: those ten times rarer in the external documents."""
        own, external = (_shares(corpus.texts) for corpus in (self.studied, self.external))
        subject = tuple(word for word in self.words.words if own[word] >= TIMES_RARER * external[word])
        return replace(self, words=ImportantWords(subject, self.words.tagged))

    def weigher(self, importance: str, encoder: Encoder, progress: Progress = silent) -> Weigher:
        """The measure of importance; KeyBERT queries the adversary's own encoder."""
        if importance == "KeyBERT":
            return KeyBertImportance(self.words, encoder, progress=progress)
        if importance == "YAKE":
            return YakeImportance(self.words, progress=progress)
        return TfidfImportance(self.words, self.studied.texts)


def choose_corpus(run: PaperRun[ChenSizes], dataset: str) -> str:
    """The corpus that stands in for a data set; complaints for clinical records if nothing nearer is available."""
    name = run.sizes.corpus or CORPORA[dataset]
    return "complaints" if dataset == "Clinical" and not is_available(name) else name


def explain_missing(run: PaperRun[ChenSizes], dataset: str) -> str | None:
    """Why a data set is skipped; None if its texts are available."""
    name = choose_corpus(run, dataset)
    return None if is_available(name) else explain_missing_corpus(name)


def read_documents(run: PaperRun[ChenSizes], dataset: str) -> StudyDocuments:
    """Documents that are long enough; pool and targets share no document and no text."""
    sizes = run.sizes
    corpus = load_corpus(choose_corpus(run, dataset))
    sides = split_documents(corpus.documents, 0.5, stream(run.seed, "sides"))
    own, others = (
        shorten(corpus.take(_draw(rows, most, run.seed)), sizes.longest)
        # Twice the spare candidates for targets, since dropped ones cost nothing there.
        for rows, most in ((sides.auxiliary, SPARE * sizes.pool), (sides.target, 2 * SPARE * sizes.targets))
    )
    copied = set(find_copies(own.texts, others.texts))
    studied = own.take([row for row in range(len(own)) if row not in copied])
    words = ImportantWords.build(studied.texts, rarest=sizes.rarest)
    pool = _select_long(studied, words, sizes.shortest, sizes.pool)
    targets = _select_long(others, words, sizes.shortest, sizes.targets)
    external = shorten(load_encyclopedia(sizes.public_corpus, sizes.external), sizes.longest)
    return StudyDocuments(targets, pool, external, studied, words)


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
