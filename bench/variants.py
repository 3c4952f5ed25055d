"""A text as somebody has it who did not copy it: without marks, a word changed, cut short, or in other words."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.encoders.load import load_encoder
from vestige.text.variants import cut_short, replaced, without_marks
from vestige.text.words import content_words

WORDS = 4000
OTHER_WORDS = 3


@dataclass(frozen=True)
class Synonyms:
    """Frequent content words, and for each the one that is nearest to it in GloVe."""

    nearest: dict[str, str]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Synonyms":
        """Among the words of these texts."""
        counts = Counter(word for text in texts for word in content_words(text))
        frequent = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:WORDS]]
        vectors = load_encoder("glove-6b").encode(frequent)
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -1)
        return cls({word: frequent[row] for word, row in zip(frequent, cosines.argmax(axis=1), strict=True)})


Change = Callable[[str, Synonyms, np.random.Generator], str]


def _word_changed(text: str, synonyms: Synonyms, rng: np.random.Generator) -> str:
    others = list(synonyms.nearest)
    return replaced(text, 1, rng, lambda _: others[int(rng.integers(len(others)))], synonyms.nearest)


def _in_other_words(text: str, synonyms: Synonyms, rng: np.random.Generator) -> str:
    return replaced(text, OTHER_WORDS, rng, synonyms.nearest.__getitem__, synonyms.nearest)


VARIANTS: dict[str, Change] = {
    "as it is": lambda text, _synonyms, _rng: text,
    "a word changed": _word_changed,
    "three words by their nearest": _in_other_words,
    "cut to 70%": lambda text, _synonyms, _rng: cut_short(text),
    "no capitals, no marks": lambda text, _synonyms, _rng: without_marks(text),
}
