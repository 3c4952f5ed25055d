"""Which words of a document matter: a vocabulary of nouns and verbs, and three ways to weigh it (Chen 2023).

The weights come from tf-idf, from KeyBERT or from YAKE.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil
from typing import Protocol

import numpy as np
from scipy import sparse

from vestige.errors import InputError, MissingExtra
from vestige.text.tagger import PartsOfSpeech, find_nouns_and_verbs, load_parts_of_speech
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, words
from vestige.types import Encoder, Progress, silent

RAREST = 0.003
SHORTEST = 15


class EmptyVocabulary(InputError):
    """No word is frequent enough to be weighed."""


@dataclass(frozen=True)
class ImportantWords:
    """The words to weigh, most frequent first.

    `tagged` is False where no tagger was installed, so that words other than nouns and verbs are included. The paper
    takes the words from the whole data set, private documents included; an adversary has only its own texts.
    """

    words: tuple[str, ...]
    tagged: bool

    @classmethod
    def build(
        cls,
        texts: Sequence[str],
        *,
        rarest: float = RAREST,
        tagger: PartsOfSpeech | None = None,
        any_kind: bool = False,
    ) -> "ImportantWords":
        """Nouns and verbs in at least the share `rarest` of the texts, by this tagger or the installed one.

        With `any_kind`, all content words, without a tagger: a tagger reads only about a hundred texts per second.
        """
        counted = Vocabulary.build(map(frozenset, map(content_forms, texts)), None)
        least = max(1, ceil(rarest * len(texts)))
        common = [word for word, count in zip(counted.words, counted.counts, strict=True) if count >= least]
        tagger = None if any_kind else tagger or load_parts_of_speech()
        if tagger is not None:
            matching = find_nouns_and_verbs(tagger, texts)
            common = [word for word in common if word in matching]
        if not common:
            kind = "word" if tagger is None else "noun or verb"
            raise EmptyVocabulary(
                f"no {kind} occurs in {least} of {len(texts)} texts; provide more texts, or a lower 'rarest'"
            )
        return cls(tuple(common), tagger is not None)

    def long_enough(self, texts: Sequence[str], shortest: int = SHORTEST) -> list[int]:
        """The rows of the texts in which these words occur at least `shortest` times in total."""
        known = frozenset(self.words)
        return [row for row, text in enumerate(texts) if sum(form in known for form in content_forms(text)) >= shortest]


@dataclass(frozen=True)
class Importance:
    """How much each word of a vocabulary matters in each document.

    `weights` has one row per document and one column per word: 0 where the document does not contain the word, larger
    where it matters more. `tagged` is False where no tagger was installed to select nouns and verbs.
    """

    words: tuple[str, ...]
    weights: sparse.csr_array
    tagged: bool = True

    def __post_init__(self) -> None:
        """Check that there is one column per word, and that no weight is negative."""
        if self.weights.shape[1] != len(self.words):
            raise InputError(
                f"{self.weights.shape[1]} columns of weights but {len(self.words)} words; expected one column per word"
            )
        if self.weights.nnz and not self.weights.data.min() >= 0:
            raise InputError("the weights contain a negative number or NaN; use 0 for a word that does not matter")

    def __len__(self) -> int:
        return int(self.weights.shape[0])

    def take(self, rows: Sequence[int]) -> "Importance":
        """The documents of these rows."""
        return Importance(self.words, self.weights[np.asarray(rows, dtype=np.int64)], self.tagged)


class Weigher(Protocol):
    """Weighs the words of documents; the columns are `words`."""

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""

    def weigh(self, texts: Sequence[str]) -> Importance:
        """How much each word matters in each text."""


class TfidfImportance:
    """Importance by frequency in the document and rarity in `texts`: tf-idf (scikit-learn).

    Rows have unit length, or with `unit=False` the length that counts and rarities give them.
    """

    def __init__(self, vocabulary: ImportantWords, texts: Sequence[str], *, unit: bool = True) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        self.vocabulary = vocabulary
        self.vectorizer = TfidfVectorizer(
            analyzer=content_forms,
            vocabulary=list(vocabulary.words),
            dtype=np.float32,
            norm="l2" if unit else None,
        )
        self.vectorizer.fit(texts)

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return self.vocabulary.words

    def weigh(self, texts: Sequence[str]) -> Importance:
        """The tf-idf of each word in each text."""
        return Importance(self.words, sparse.csr_array(self.vectorizer.transform(texts)), self.vocabulary.tagged)


class KeyBertImportance:
    """Importance by meaning: the cosine of a word's vector with the document's (KeyBERT).

    Encodes every word once and every text, with an encoder of the adversary's own and never with the private one.
    """

    def __init__(self, vocabulary: ImportantWords, encoder: Encoder, *, progress: Progress = silent) -> None:
        if find_spec("keybert") is None:
            raise MissingExtra("'keybert'", "importance")
        self.vocabulary = vocabulary
        self.encoder = encoder
        self.progress = progress
        self.word_vectors = encoder.encode(vocabulary.words, progress=progress)

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return self.vocabulary.words

    def weigh(self, texts: Sequence[str]) -> Importance:
        """The cosine of each word with each text that contains it; negative cosines count as 0."""
        from keybert import KeyBERT
        from keybert.backend import BaseEmbedder
        from sklearn.feature_extraction.text import CountVectorizer

        keywords = KeyBERT(BaseEmbedder()).extract_keywords(
            list(texts),
            vectorizer=CountVectorizer(analyzer=content_forms, vocabulary=list(self.words)),
            top_n=len(self.words),
            doc_embeddings=self.encoder.encode(texts, progress=self.progress),
            word_embeddings=self.word_vectors,
        )
        # For a single text KeyBERT returns its keywords bare, not in a list of one.
        return build_importance(self.vocabulary, map(dict, [keywords] if len(texts) == 1 else keywords))


class YakeImportance:
    """Importance by case, position, frequency and neighbours of a word in its document (YAKE).

    YAKE's score s is smaller for a better keyword. The weight is 1 / (1 + s); the paper does not state its own.
    """

    def __init__(self, vocabulary: ImportantWords, *, progress: Progress = silent) -> None:
        if find_spec("yake") is None:
            raise MissingExtra("'yake'", "importance")
        self.vocabulary = vocabulary
        self.progress = progress

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return self.vocabulary.words

    def weigh(self, texts: Sequence[str]) -> Importance:
        """The weight of each word by YAKE, one text at a time."""
        from yake import KeywordExtractor

        extractor = KeywordExtractor(n=1, dedup_lim=1, top=len(self.words) + 10_000)
        advance = self.progress("weighing words", len(texts))
        scored = []
        for text in texts:
            weights: dict[str, float] = {}
            for keyword, score in extractor.extract_keywords(text):
                if form := content_form(keyword.lower()):
                    weights[form] = max(weights.get(form, 0.0), 1 / (1 + score))
            scored.append(weights)
            advance(1)
        return build_importance(self.vocabulary, scored)


def content_forms(text: str) -> list[str]:
    """The content words of a text in order, each in the form in which it is counted; numbers are skipped."""
    return [form for word in words(text) if (form := content_form(word)) and not form[0].isdigit()]


def build_importance(vocabulary: ImportantWords, scored: Iterable[Mapping[str, float]]) -> Importance:
    """One row per text, from its words and their scores; only words of the vocabulary with a positive score count."""
    index = {word: column for column, word in enumerate(vocabulary.words)}
    rows = [
        sorted((index[word], score) for word, score in text.items() if word in index and score > 0) for text in scored
    ]
    cells = [cell for row in rows for cell in row]
    columns = np.array([column for column, _ in cells], dtype=np.int32)
    weights = np.array([score for _, score in cells], dtype=np.float32)
    table = sparse.csr_array((weights, columns, np.cumsum([0, *map(len, rows)])), shape=(len(rows), len(index)))
    return Importance(vocabulary.words, table, vocabulary.tagged)
