"""Sentences without any query: likely words in a likely order, in closed form. Ours."""

from collections.abc import Sequence
from itertools import product
from typing import Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.guided.composing import Style, compose
from vestige.attacks.guided.lexicon import BigramModel, Lexicon, WordStock
from vestige.attacks.linear_words import fit_discriminant
from vestige.attacks.rows import unit_length
from vestige.checks import as_vectors
from vestige.errors import NotFitted
from vestige.text.lcs import longest_common_subsequence
from vestige.text.split import split_documents
from vestige.text.words import tokenize
from vestige.types import Floats, Progress, TextGuesses, Vectors, silent

STYLES = tuple(Style(*each) for each in product((0.4, 0.7, 1.0), (1.5, 2.5, 3.5, 4.5)))
LIKELY, FREQUENT = 200, 150
LONGEST = 60
HELD, MOST_HELD = 0.1, 40


class ComposedInverter:
    """Writes the text behind a vector from likely words, without any query and without a trained network.

    The adversary sees: pairs of vectors and texts, and the target vectors. Shapes: `fit` takes (n, d) vectors and n
    texts; `infer` takes (m, d) and returns m texts.

    A linear discriminant says which words a vector makes likely, a bigram model of the texts which word follows which.
    A beam search from left to right maximises both. How much the words count against the bigrams, and how long texts
    become, is chosen on held-out pairs. Only the direction of vectors counts.
    """

    info = AttackInfo(
        name="composed",
        summary="writes a sentence from likely words and bigrams, without any query",
        output=TextGuesses,
        access=("pairs",),
    )

    def __init__(self, *, vocabulary_size: int = 20_000) -> None:
        self.vocabulary_size = vocabulary_size

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        further_texts: Sequence[str] = (),
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs; `further_texts` have no vectors, and add words and which word follows which."""
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        unit = unit_length(as_pairs(vectors, texts, documents))
        named = [str(row) for row in range(len(texts))] if documents is None else documents
        split = split_documents(named, min(HELD, MOST_HELD / len(texts)), rng)
        learned = split.auxiliary or split.target
        advance = progress("choosing how to compose", len(STYLES))
        self._learn(unit[learned], [texts[row] for row in learned], further_texts)
        true = [tokenize(texts[row]) for row in split.target]
        logits = self.scorer_.logits(unit[split.target])
        scores = []
        for style in STYLES:
            drafts = ([self.lexicon_.words[number] for number in self._compose(each, style)] for each in logits)
            scores.append(sum(_agreement(draft, each) for draft, each in zip(drafts, true, strict=True)))
            advance(1)
        self.style_ = STYLES[int(np.argmax(scores))]
        self._learn(unit, texts, further_texts)
        return self

    def _learn(self, unit: Vectors, texts: Sequence[str], further: Sequence[str]) -> None:
        self.lexicon_ = Lexicon.build([*texts, *further], self.vocabulary_size)
        self.scorer_ = fit_discriminant(unit, self.lexicon_.counts(texts).minimum(1))
        language = BigramModel([*map(self.lexicon_.parse, [*texts, *further])], self.lexicon_.edge)
        self.stock_ = WordStock(np.zeros((len(self.lexicon_.words) + 1, 1), np.float32), language)

    def infer(self, vectors: Vectors, *, progress: Progress = silent) -> TextGuesses:
        """One text for each vector."""
        if not hasattr(self, "stock_"):
            raise NotFitted("ComposedInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        vectors = unit_length(as_vectors(vectors, len(self.scorer_.mean)))
        advance = progress("composing texts", len(vectors))
        written = []
        for vector in vectors:
            numbers = self._compose(self.scorer_.logits(vector[None])[0], self.style_)
            written.append(self.lexicon_.spell(numbers))
            advance(1)
        return TextGuesses(written)

    def _compose(self, logits: Floats, style: Style) -> list[int]:
        likely = np.argsort(-logits, kind="stable")[:LIKELY].tolist()
        palette = self.stock_.palette([*likely, *range(min(FREQUENT, len(self.lexicon_.words)))])
        evidence = np.concatenate([[0], (logits - self.scorer_.log_odds)[palette.numbers[1:]]])
        numbers: list[int] = palette.numbers[list(compose(palette, evidence, style, LONGEST))].tolist()
        return numbers


def _agreement(one: Sequence[str], other: Sequence[str]) -> float:
    """ROUGE-L of two texts, of which one may be empty."""
    return 2 * len(longest_common_subsequence(list(one), list(other))) / max(len(one) + len(other), 1)
