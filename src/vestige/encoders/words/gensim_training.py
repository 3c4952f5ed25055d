"""What word2vec, fastText and doc2vec share: gensim on one thread, over a vocabulary in our order."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vestige.types import Advance, Progress

ONE_THREAD = {"workers": 1, "sorted_vocab": 0, "min_count": 1}
"""More threads write to one matrix in no fixed order, so that the same seed no longer gives the same bytes; the words
come counted, cut and sorted, in one order for every family."""


def gensim_seed(rng: np.random.Generator) -> int:
    """A seed of the size that gensim takes."""
    return int(rng.integers(2**31))


def know_words(model: Any, words: Sequence[str], counts: Sequence[int]) -> None:
    """Give a gensim model its words, most frequent first, and freshly drawn weights."""
    model.build_vocab_from_freq(dict(zip(words, counts, strict=True)))


def train(model: Any, sentences: Sequence[Any], task: str, progress: Progress) -> None:
    """Run all epochs; `sentences` are at most 10,000 words long."""
    watcher = _Epochs(progress(task, model.epochs))
    model.train(sentences, total_examples=len(sentences), epochs=model.epochs, callbacks=[watcher])


class _Epochs:
    """What gensim calls as it goes; it asks for no base class, so that this file needs no gensim to be imported."""

    def __init__(self, advance: Advance) -> None:
        self._advance = advance

    def on_train_begin(self, model: Any) -> None:
        """Nothing to do."""

    def on_train_end(self, model: Any) -> None:
        """Nothing to do."""

    def on_epoch_begin(self, model: Any) -> None:
        """Nothing to do."""

    def on_epoch_end(self, model: Any) -> None:  # noqa: ARG002
        """One epoch more."""
        self._advance(1)
