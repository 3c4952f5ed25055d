"""The words that stand in a corpus often enough for a vector of their own."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import words


@dataclass(frozen=True)
class FrequentWords:
    """Words by falling count, ties in alphabetical order, and the texts with every rarer word left out."""

    words: tuple[str, ...]
    counts: tuple[int, ...]
    texts: list[list[str]]


def frequent_words(corpus: Corpus, min_count: int) -> FrequentWords:
    """The words that stand at least `min_count` times in the whole corpus.

    Rarer words are left out before any window is laid, so that their neighbours move together; word2vec, fastText and
    GloVe all do so.
    """
    texts = [words(text) for text in corpus.texts]
    counts = Counter(word for text in texts for word in text)
    kept = {word: count for word, count in counts.items() if count >= min_count}
    if not kept:
        often = max(counts.values(), default=0)
        raise InputError(
            f"corpus '{corpus.name}' has {len(counts)} different words and none stands in it more than {often} times, "
            f"expected words that stand in it {min_count} times or more; give more text"
        )
    ranked = sorted(kept, key=lambda word: (-kept[word], word))
    return FrequentWords(
        tuple(ranked), tuple(kept[word] for word in ranked), [[word for word in text if word in kept] for text in texts]
    )


def pieces(text: list[str], longest: int = 10_000) -> Iterator[list[str]]:
    """A text in runs of at most `longest` words: gensim forgets, in silence, all that comes after 10,000."""
    for start in range(0, len(text), longest):
        yield text[start : start + longest]
