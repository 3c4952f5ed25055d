"""What all trained word vectors share: the frequent words of a corpus, and gensim on one thread."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Advance, Progress

ONE_THREAD = {"workers": 1, "sorted_vocab": 0, "min_count": 1}
"""Settings of gensim. With more threads the same seed would not give the same bytes. Words are counted, filtered and
sorted beforehand, in the same order for every family."""


@dataclass(frozen=True)
class FrequentWords:
    """Words by descending count, ties in alphabetical order, and the texts without any rarer words."""

    words: tuple[str, ...]
    counts: tuple[int, ...]
    texts: list[list[str]]


def find_frequent_words(corpus: Corpus, min_count: int) -> FrequentWords:
    """The words that occur at least `min_count` times in the whole corpus.

    Rarer words are removed before windows are applied, so that their neighbours become adjacent, as in word2vec,
    fastText and GloVe.
    """
    texts = [words(text) for text in corpus.texts]
    counts = Counter(word for text in texts for word in text)
    frequent = {word: count for word, count in counts.items() if count >= min_count}
    if not frequent:
        highest = max(counts.values(), default=0)
        raise InputError(
            f"corpus '{corpus.name}' has {len(counts)} different words and none occurs more than {highest} times, "
            f"expected words that occur {min_count} times or more; give more text"
        )
    ranked = sorted(frequent, key=lambda word: (-frequent[word], word))
    return FrequentWords(
        tuple(ranked),
        tuple(frequent[word] for word in ranked),
        [[word for word in text if word in frequent] for text in texts],
    )


def split_pieces(text: list[str], longest: int = 10_000) -> Iterator[list[str]]:
    """Split a text into pieces of at most `longest` words: gensim silently ignores all words after 10,000."""
    for start in range(0, len(text), longest):
        yield text[start : start + longest]


def draw_gensim_seed(rng: np.random.Generator) -> int:
    """A seed of the size that gensim accepts."""
    return int(rng.integers(2**31))


def set_vocabulary(model: Any, words: Sequence[str], counts: Sequence[int]) -> None:
    """Set the words of a gensim model, most frequent first, and initialize its weights."""
    model.build_vocab_from_freq(dict(zip(words, counts, strict=True)))


def train_gensim(model: Any, sentences: Sequence[Any], task: str, progress: Progress) -> None:
    """Run all epochs; `sentences` are at most 10,000 words long."""
    watcher = _Epochs(progress(task, model.epochs))
    model.train(sentences, total_examples=len(sentences), epochs=model.epochs, callbacks=[watcher])


class _Epochs:
    """A callback of gensim that reports epochs; it has no base class, so that importing this file needs no gensim."""

    def __init__(self, advance: Advance) -> None:
        self._advance = advance

    def on_train_begin(self, model: Any) -> None:
        """Nothing to do."""

    def on_train_end(self, model: Any) -> None:
        """Nothing to do."""

    def on_epoch_begin(self, model: Any) -> None:
        """Nothing to do."""

    def on_epoch_end(self, model: Any) -> None:  # noqa: ARG002
        """Report one epoch."""
        self._advance(1)
