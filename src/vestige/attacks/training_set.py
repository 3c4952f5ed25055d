"""The pairs that a word inverter learns from: vocabulary, labels, word weights, and the documents held out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.checks import check_choice
from vestige.errors import InputError
from vestige.text.languages import check_language, content_words_of
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words, words
from vestige.types import Flags, Integers, Singles, Vectors

HELD_OUT = 0.1
"""The share of the pairs on which an attack chooses its threshold and its calibration."""

CountedWords = str
"""The words that an attack looks for: "content" words; "all" words with stop words, as Song and Raghunathan 2020 do; or
the content words of a language by its code, as in "content:it"."""

WordFinder = Callable[[str], frozenset[str]]


def choose_words(counted: CountedWords) -> WordFinder:
    """The function that finds the words of a text that are counted."""
    kind, colon, language = counted.partition(":")
    if kind == "content" and colon:
        check_language(language)
        return lambda text: content_words_of(text, language)
    known: dict[str, WordFinder] = {"content": content_words, "all": lambda text: frozenset(words(text))}
    check_choice("words", counted, known)
    return known[counted]


@dataclass(frozen=True)
class TrainingSet:
    """Pairs, the vocabulary that may be guessed, and the rows to learn from (`train`) and to decide on (`held_out`).

    `labels` is (texts, words), 0 or 1; `sizes` counts the `words` of each text, those outside the vocabulary included.
    `weights` is how much each word counts in a loss or a score. `depth` is the length of the ranked lists.
    """

    vectors: Vectors
    texts: Sequence[str]
    vocabulary: Vocabulary
    labels: sparse.csr_array
    sizes: Integers
    train: Integers
    held_out: Integers
    weights: Singles
    depth: int
    words: CountedWords = "content"

    @classmethod
    def build(
        cls,
        vectors: Vectors,
        texts: Sequence[str],
        documents: Sequence[str] | None,
        *,
        vocabulary_size: int,
        rare_words: float,
        rng: np.random.Generator,
        further_texts: Sequence[str] = (),
        words: CountedWords = "content",
    ) -> "TrainingSet":
        """Label the texts with the words that count and hold out a tenth of the documents.

        `further_texts` have no vectors; the vocabulary is that of all texts.
        """
        find = choose_words(words)
        word_sets = [find(text) for text in texts]
        vocabulary = Vocabulary.build([*word_sets, *map(find, further_texts)], vocabulary_size)
        if not len(vocabulary):
            raise InputError(f"none of {len(texts)} texts has a content word; fit needs words to learn")
        sizes = np.array([len(found) for found in word_sets])
        train, held_out = hold_out(len(texts), documents, rng)
        return cls(
            vectors=vectors,
            texts=texts,
            vocabulary=vocabulary,
            labels=vocabulary.indicator(word_sets),
            sizes=sizes,
            train=train,
            held_out=held_out,
            weights=rarity_weights(vocabulary, len(texts) + len(further_texts), rare_words),
            depth=int(min(len(vocabulary), max(50, 2 * np.quantile(sizes, 0.95)))),
            words=words,
        )

    def total_weights(self, rows: Integers) -> Singles:
        """The summed weight of all words of each text; a word outside the vocabulary counts as its rarest word."""
        known: sparse.csr_array = self.labels[rows]
        outside = (self.sizes[rows] - known.sum(axis=1)) * self.weights.max(initial=0)
        return np.asarray(known @ self.weights + outside, np.float32)


def rarity_weights(vocabulary: Vocabulary, texts: int, exponent: float) -> Singles:
    """log((N + 1) / (c(w) + 1)) to the power `exponent` (Corò 2022, Eq. 4.8 and Section 6.1), with a mean of one."""
    weights = np.log((texts + 1) / (np.array(vocabulary.counts) + 1)) ** exponent
    return np.asarray(weights / max(weights.mean(), 1e-12), np.float32)


def hold_out(count: int, documents: Sequence[str] | None, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Split rows into those to learn from and a tenth to decide on, both in rising order; no document is in both.

    Documents are drawn until they cover a tenth of the rows; a document that would take them past half is skipped. If
    every document is that large, for example because there is only one, rows are drawn instead of documents.
    """
    held = _draw_held(range(count) if documents is None else documents, rng)
    if not held.any():
        held = _draw_held(range(count), rng)
    return np.flatnonzero(~held), np.flatnonzero(held)


def _draw_held(owners: Iterable[object], rng: np.random.Generator) -> Flags:
    numbers: dict[object, int] = {}
    owned = np.array([numbers.setdefault(owner, len(numbers)) for owner in owners])
    sizes = np.bincount(owned)
    chosen = np.zeros(len(sizes), dtype=np.bool_)
    rows = 0
    for document in rng.permutation(len(sizes)):
        if rows >= HELD_OUT * len(owned):
            break
        if rows + sizes[document] <= len(owned) / 2:
            chosen[document] = True
            rows += sizes[document]
    return np.asarray(chosen[owned])
