"""Keyword inference with a shadow corpus (P4): does the text behind a vector hold a word that the adversary names?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from vestige.attacks.blocks import blocks
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.keywords.checks import as_keywords, check_both_sides
from vestige.attacks.keywords.examples import Examples, Substitution
from vestige.attacks.keywords.heads import fit_heads
from vestige.attacks.keywords.published import Machines, Perceptrons
from vestige.checks import as_vectors, check_choice
from vestige.errors import NotFitted
from vestige.text.keywords import keyword_table
from vestige.types import Encoder, KeywordGuesses, Progress, Vectors, silent

if TYPE_CHECKING:
    from vestige.attacks.keywords.published import Learned

SUBSTITUTED = 4000
_ROWS_AT_ONCE = 256


class KeywordInference:
    """Tells for each of a list of keywords whether the text behind a vector holds it.

    The adversary sees: vectors of texts it knows (pairs), of the same kind as those under attack, and the target
    vectors; with an `encoder` it also asks for vectors of texts into which it put the keywords. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts, `infer` takes (m, d) and gives (m, K) probabilities.
    Paper: Pan et al., IEEE S&P 2020, Section VI, where the attack with a shadow corpus is called white-box.

    `recipe="default"` learns all keywords from one set: the pairs, and up to `substituted` texts with keywords
    put in, each an example for every keyword. `recipe="svm"` and `recipe="mlp"` are the published ones: each keyword
    has a corpus of its own, twice the pairs, so that n texts a keyword are asked for.

    Probabilities are those for a text that holds the keyword as likely as not: 0.5 is the boundary, however rare it is.
    """

    def __init__(self, *, recipe: Literal["default", "svm", "mlp"] = "default", substituted: int = SUBSTITUTED) -> None:
        self.recipe = recipe
        self.substituted = substituted

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        keywords: Sequence[str],
        rng: np.random.Generator,
        encoder: Encoder | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs, and from them alone without an `encoder`: row i of `vectors` embeds `texts[i]`."""
        check_choice("recipe", self.recipe, ("default", "svm", "mlp"))
        check_floor("substituted", self.substituted, 1)
        vectors = as_pairs(vectors, texts)
        self.keywords_ = as_keywords(keywords)
        examples = self._examples(vectors, texts, encoder, rng, progress)
        self.width_ = vectors.shape[1]
        self.learned_ = self._learned(examples, rng, progress)
        return self

    def infer(self, vectors: Vectors) -> KeywordGuesses:
        """How likely each text holds each keyword."""
        if not hasattr(self, "learned_"):
            raise NotFitted(
                "KeywordInference.infer was called before fit; call fit(vectors, texts, keywords=..., rng=...) first"
            )
        vectors = as_vectors(vectors, self.width_)
        found = [self.learned_.probabilities(block)[:count] for block, count in blocks(vectors, _ROWS_AT_ONCE)]
        return KeywordGuesses(self.keywords_, np.concatenate([np.empty((0, len(self.keywords_))), *found]))

    def _learned(self, examples: Examples, rng: np.random.Generator, progress: Progress) -> "Learned":
        if self.recipe == "svm":
            return Machines(examples, rng, progress)
        return Perceptrons(examples, rng, progress) if self.recipe == "mlp" else fit_heads(examples)

    def _examples(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        encoder: Encoder | None,
        rng: np.random.Generator,
        progress: Progress,
    ) -> Examples:
        if encoder is None:
            labels = keyword_table(texts, self.keywords_)
            check_both_sides(labels, self.keywords_, "leave it out, or give an encoder, so that it can be put in")
            return Examples.of(vectors, labels)
        asking = Substitution(texts, self.keywords_, encoder)
        if self.recipe != "default":
            return asking.doubled(vectors, rng, progress)
        examples = asking.shared(vectors, self.substituted, rng, progress)
        check_both_sides(examples.labels, self.keywords_, "leave it out, or give other texts")
        return examples
