"""Priors of words and sentences: the best guess without the vectors, or without queries to the encoder."""

from collections import Counter
from collections.abc import Sequence, Set
from heapq import nlargest
from statistics import fmean
from typing import Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs
from vestige.attacks.rows import unit_length
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.text.lcs import longest_common_subsequence
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words, words
from vestige.types import Integers, TextGuesses, Trial, Vectors, WordGuesses

CANDIDATES, JUDGES, FINALISTS = 300, 200, 20
ROWS_AT_ONCE = 1024


class FixedWords:
    """Guesses one and the same set for every text: the one with the best mean F1 on the auxiliary texts.

    The adversary sees: auxiliary texts only. Among sets of k words the mean F1 is a sum over its words, since each
    adds 2 / (k + |W(x)|) for every text x that contains it; so the k words with the largest sums are the best set of
    that size, exactly. Every k is tried until no larger set could do better.
    """

    info = AttackInfo(
        name="fixed-words",
        summary="prior of words: the best fixed set of words, without the vectors",
        output=WordGuesses,
        access=("texts",),
        role="prior",
    )

    def fit(self, texts: Sequence[str]) -> Self:
        """Find the best fixed set of content words."""
        return self.fit_sets([content_words(text) for text in texts])

    def fit_sets(self, texts: Sequence[Set[str]]) -> Self:
        """Find the best fixed set of whatever counts as words: each text is given as the set of its own."""
        word_sets = [words for words in texts if words]
        if not word_sets:
            raise InputError(f"none of {len(texts)} texts has a content word; a fixed set needs at least one")
        vocabulary = Vocabulary.build(word_sets, size=None)
        holds = vocabulary.indicator(word_sets)
        sizes = np.array([len(words) for words in word_sets])
        best, k = -1.0, 0
        while k < len(vocabulary) and _ceiling(sizes, k + 1) > best:
            k += 1
            gains = holds.T @ (2 / (k + sizes)) / len(word_sets)
            chosen = np.argsort(-gains, kind="stable")[:k]
            if gains[chosen].sum() > best:
                best = float(gains[chosen].sum())
                self.words_ = frozenset(vocabulary.words[place] for place in chosen)
        shares = {word: count / len(word_sets) for word, count in zip(vocabulary.words, vocabulary.counts, strict=True)}
        self.ranked_ = [(word, share) for word, share in shares.items() if word in self.words_]
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The fixed set, once per vector; only the number of vectors is used."""
        if not hasattr(self, "words_"):
            raise NotFitted("FixedWords.infer was called before fit; call fit(texts) first")
        return WordGuesses([self.words_] * len(vectors), [self.ranked_] * len(vectors))


def _ceiling(sizes: Integers, k: int) -> float:
    """No set of k or more words has a mean F1 above this: at best it contains every word of each text."""
    return float(np.minimum(1, 2 * sizes / (k + sizes)).mean())


class FixedText:
    """Guesses one and the same text for every vector: the best of a few hundred auxiliary texts.

    The adversary sees: auxiliary texts only. The finalists share most words with a couple of hundred other auxiliary
    texts; of these, the text that shares most words in order (ROUGE-L) is taken.
    """

    info = AttackInfo(
        name="fixed-text",
        summary="prior of sentences: one text for all, without the vectors",
        output=TextGuesses,
        access=("texts",),
        role="prior",
    )

    def fit(self, texts: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Find the text."""
        if not texts:
            raise InputError("no texts; a fixed text needs at least one to choose from")
        drawn = [texts[row] for row in rng.permutation(len(texts))[: CANDIDATES + JUDGES]]
        cut = min(CANDIDATES, -(-len(drawn) * CANDIDATES // (CANDIDATES + JUDGES)))
        judges = [words(text) for text in drawn[cut:] or drawn]
        counted = [Counter(judge) for judge in judges]

        def shared(text: str) -> float:
            own = Counter(words(text))
            return fmean(2 * (own & judge).total() / max(own.total() + judge.total(), 1) for judge in counted)

        def ordered(text: str) -> float:
            own = words(text)
            return fmean(
                2 * len(longest_common_subsequence(own, judge)) / max(len(own) + len(judge), 1) for judge in judges
            )

        self.text_ = max(nlargest(FINALISTS, drawn[:cut], key=shared), key=ordered)
        return self

    def infer(self, vectors: Vectors) -> TextGuesses:
        """The fixed text, once per vector; only the number of vectors is used."""
        if not hasattr(self, "text_"):
            raise NotFitted("FixedText.infer was called before fit; call fit(texts, rng=...) first")
        return TextGuesses([self.text_] * len(vectors))


class NearestText:
    """Guesses for each vector the auxiliary text whose vector has the largest cosine with it.

    The adversary sees: pairs of vectors and texts, and the target vectors; it does not query the encoder. It is the
    prior of guided inversion: it has the vector, but not the search.
    """

    info = AttackInfo(
        name="nearest-text",
        summary="prior of sentences: the nearest text that the attacker has, without queries to the encoder",
        output=TextGuesses,
        access=("pairs",),
        role="prior",
    )

    def fit(self, vectors: Vectors, texts: Sequence[str]) -> Self:
        """Store the pairs."""
        self.vectors_ = unit_length(as_pairs(vectors, texts, fewest=1))
        self.texts_ = list(texts)
        return self

    def infer(self, vectors: Vectors) -> TextGuesses:
        """The nearest text for each vector, the first of equally near ones."""
        if not hasattr(self, "texts_"):
            raise NotFitted("NearestText.infer was called before fit; call fit(vectors, texts) first")
        vectors = as_vectors(vectors, self.vectors_.shape[1])
        trails = []
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            cosines = unit_length(vectors[start : start + ROWS_AT_ONCE]) @ self.vectors_.T
            trails += [[Trial(0, self.texts_[row.argmax()], float(row.max()))] for row in cosines]
        return TextGuesses([trail[0].text for trail in trails], trails)
