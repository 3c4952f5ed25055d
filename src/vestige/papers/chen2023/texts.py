"""The documents of a study: those under attack, the adversary's pool, and texts of elsewhere."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.elsewhere import encyclopedia
from vestige.papers.run import Run
from vestige.text.corpus import Corpus
from vestige.text.importance.forms import forms
from vestige.text.importance.keybert import KeyBertImportance
from vestige.text.importance.record import Weigher
from vestige.text.importance.tfidf import TfidfImportance
from vestige.text.importance.vocabulary import ImportantWords
from vestige.text.importance.yake import YakeImportance
from vestige.text.named import is_present, load_corpus
from vestige.text.split import copies, split_documents
from vestige.text.words import word_spans
from vestige.types import Encoder, Progress, silent

CORPORA = {"20 News": "newsgroups", "AG News": "agnews", "IMDB": "imdb", "Clinical": "pubmed"}
SPARE = 4
"""So many times the pool is looked at for words, since documents with few of them are left out."""

TELLING = 10


@dataclass(frozen=True)
class Documents:
    """One document a row; `words` are of the adversary's documents alone, `studied`, of which the pool is a part."""

    targets: Corpus
    pool: Corpus
    external: Corpus
    studied: Corpus
    words: ImportantWords

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are asked for."""
        return [self.targets, self.pool, self.external]

    def pooled(self, size: int) -> "Documents":
        """The same with a smaller pool."""
        return replace(self, pool=self.pool.take(range(min(size, len(self.pool)))))

    def of_subject(self) -> "Documents":
        """The same with those words alone that are ten times rarer elsewhere: what the documents are about."""
        here, elsewhere = (_shares(corpus.texts) for corpus in (self.studied, self.external))
        telling = tuple(word for word in self.words.words if here[word] >= TELLING * elsewhere[word])
        return replace(self, words=ImportantWords(telling, self.words.tagged))

    def weigher(self, importance: str, encoder: Encoder, progress: Progress = silent) -> Weigher:
        """What says how much a word matters; KeyBERT asks the adversary's own encoder."""
        if importance == "KeyBERT":
            return KeyBertImportance(self.words, encoder, progress=progress)
        if importance == "YAKE":
            return YakeImportance(self.words, progress=progress)
        return TfidfImportance(self.words, self.studied.texts)


def corpus_of(run: Run[Sizes], dataset: str) -> str:
    """What stands for a data set; complaints for clinical records where there is nothing nearer."""
    name = run.sizes.corpus or CORPORA[dataset]
    return "complaints" if dataset == "Clinical" and not is_present(name) else name


def missing(run: Run[Sizes], dataset: str) -> str | None:
    """Why a data set is left out, where its texts are not here."""
    name = corpus_of(run, dataset)
    if is_present(name):
        return None
    return f"corpus '{name}' is not here; name its folder in the environment variable VESTIGE_DATA"


def read_documents(run: Run[Sizes], dataset: str) -> Documents:
    """Documents long enough, pool and targets apart: no document, and no text, is on both sides."""
    sizes = run.sizes
    corpus = load_corpus(corpus_of(run, dataset))
    sides = split_documents(corpus.documents, 0.5, stream(run.seed, "sides"))
    own, others = (
        shortened(corpus.take(_drawn(rows, most, run.seed)), sizes.longest)
        # Twice the spare of targets, since what is looked at and left out costs nothing there.
        for rows, most in ((sides.auxiliary, SPARE * sizes.pool), (sides.target, 2 * SPARE * sizes.targets))
    )
    copied = set(copies(own.texts, others.texts))
    studied = own.take([row for row in range(len(own)) if row not in copied])
    words = ImportantWords.of(studied.texts, rarest=sizes.rarest)
    pool = _long_enough(studied, words, sizes.shortest, sizes.pool)
    targets = _long_enough(others, words, sizes.shortest, sizes.targets)
    external = shortened(encyclopedia(sizes.elsewhere, sizes.external), sizes.longest)
    return Documents(targets, pool, external, studied, words)


def _drawn(rows: Sequence[int], most: int, seed: int) -> list[int]:
    """So many of the rows, in an order of chance, since the first that are long enough are taken."""
    return [rows[place] for place in stream(seed, "documents").permutation(len(rows))[:most]]


def shortened(corpus: Corpus, longest: int) -> Corpus:
    """The first so many words of every text."""
    return replace(corpus, texts=[_first_words(text, longest) for text in corpus.texts])


def _shares(texts: Sequence[str]) -> defaultdict[str, float]:
    """In what share of the texts each word is."""
    counts = Counter(word for text in texts for word in set(forms(text)))
    return defaultdict(float, {word: count / len(texts) for word, count in counts.items()})


def _first_words(text: str, longest: int) -> str:
    spans = word_spans(text)
    return text if len(spans) <= longest else text[: spans[longest - 1][1]]


def _long_enough(corpus: Corpus, words: ImportantWords, shortest: int, most: int) -> Corpus:
    rows = words.long_enough(corpus.texts, shortest)[:most]
    if not rows:
        raise InputError(f"no text of '{corpus.name}' holds {shortest} words of the vocabulary; give longer texts")
    return corpus.take(rows)
