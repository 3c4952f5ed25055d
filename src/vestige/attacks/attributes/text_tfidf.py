"""What the raw text gives away without an encoder: words, pairs of words and runs of letters, weighed by rarity."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy.special import softmax

from vestige.attacks.attributes.labels import as_labels
from vestige.errors import InputError, NotFitted
from vestige.types import LabelGuesses


class TextTfidf:
    """Tells the class of a text by a linear support vector machine a class, on tf-idf of the text itself.

    The adversary sees: labelled texts and the *target texts*; no vectors. It is no attack on vectors but what they are
    held against: what a reader of the text could tell who has no encoder.

    Features are words, pairs of words, and runs of two to four letters within words. Probabilities are the softmax of
    the margins: their order counts, they are not calibrated.
    """

    def fit(self, texts: Sequence[str], labels: Sequence[str | None], *, rng: np.random.Generator) -> Self:
        """Learn from labelled texts; those without a label are left out, and `missing_` counts them."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_union
        from sklearn.svm import LinearSVC

        known = as_labels(labels, len(texts), of="texts")
        self.features_ = make_union(
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\w+", dtype=np.float32),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2, dtype=np.float32),
        )
        self.classifier_ = LinearSVC(C=0.1, dual=True, random_state=int(rng.integers(2**31)))
        try:
            features = self.features_.fit_transform([texts[row] for row in known.rows])
        except ValueError as error:
            raise InputError(
                f"the {len(known.rows)} labelled texts have no word or run of letters in common ({error}); give more"
            ) from error
        self.classifier_.fit(features, known.classes)
        self.labels_, self.missing_ = known.names, known.missing
        return self

    def infer(self, texts: Sequence[str]) -> LabelGuesses:
        """How likely each class is, text by text."""
        if not hasattr(self, "labels_"):
            raise NotFitted("TextTfidf.infer was called before fit; call fit(texts, labels, rng=...) first")
        if not len(texts):
            return LabelGuesses(self.labels_, np.empty((0, len(self.labels_))))
        margins = self.classifier_.decision_function(self.features_.transform(texts))
        if margins.ndim == 1:
            margins = np.column_stack([-margins, margins])
        return LabelGuesses(self.labels_, softmax(margins.astype(np.float64), axis=1))
