"""Importance by meaning: the cosine of a word's vector with the document's (KeyBERT)."""

from collections.abc import Sequence
from importlib.util import find_spec

from vestige.errors import MissingExtra
from vestige.text.importance.forms import forms
from vestige.text.importance.listed import tabulated
from vestige.text.importance.record import Importance
from vestige.text.importance.vocabulary import ImportantWords
from vestige.types import Encoder, Progress, silent


class KeyBertImportance:
    """Asks an encoder of one's own, never the private one, for every word once and for every text."""

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
        """The cosine of each word with each text that holds it; none below 0."""
        from keybert import KeyBERT
        from keybert.backend import BaseEmbedder
        from sklearn.feature_extraction.text import CountVectorizer

        found = KeyBERT(BaseEmbedder()).extract_keywords(
            list(texts),
            vectorizer=CountVectorizer(analyzer=forms, vocabulary=list(self.words)),
            top_n=len(self.words),
            doc_embeddings=self.encoder.encode(texts, progress=self.progress),
            word_embeddings=self.word_vectors,
        )
        # KeyBERT gives one text's keywords bare, not in a list of one.
        return tabulated(self.vocabulary, map(dict, [found] if len(texts) == 1 else found))
