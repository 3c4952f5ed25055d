"""Importance by frequency here and rarity elsewhere: tf-idf, rows of unit length, as scikit-learn has it."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from vestige.text.importance.forms import forms
from vestige.text.importance.record import Importance
from vestige.text.importance.vocabulary import ImportantWords


class TfidfImportance:
    """Rarity is learned from `texts`, those of the vocabulary or others."""

    def __init__(self, vocabulary: ImportantWords, texts: Sequence[str]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        self.vocabulary = vocabulary
        self.vectorizer = TfidfVectorizer(analyzer=forms, vocabulary=list(vocabulary.words), dtype=np.float32)
        self.vectorizer.fit(texts)

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return self.vocabulary.words

    def weigh(self, texts: Sequence[str]) -> Importance:
        """The tf-idf of each word in each text."""
        return Importance(self.words, sparse.csr_array(self.vectorizer.transform(texts)), self.vocabulary.tagged)
