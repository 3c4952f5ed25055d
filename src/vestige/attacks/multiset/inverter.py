"""Multi-set inversion (S6, R3, R8): reads words one after another, each in the light of those already read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from vestige.attacks.candidates import Read
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.lesson import Lesson
from vestige.attacks.multiset.closed_form import ClosedForm, closed_form
from vestige.attacks.multiset.word_vectors import WordVectors
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Progress, Vectors, WordGuesses, silent

if TYPE_CHECKING:
    from vestige.attacks.multiset.published import Recurrent


class MultiSetInverter:
    """Reads the set of content words out of a vector, word by word.

    The adversary sees: vectors of texts it knows (pairs, as many as it likes), and the target vectors. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts, `infer` takes (m, d) and gives m sets and m ranked lists.
    Papers: Song and Raghunathan, CCS 2020, Section 3.2, Equation 9, Algorithm 2; Corò, Padova 2022, Section 4.2.3.

    `recipe="default"` has no network: it fits what each word contributes to a vector, by ridge regression of vectors
    on words, and decodes greedily, taking away what each claimed word explains. `recipe="song"` and `recipe="coro"`
    train the published LSTM with the full softmax; `epochs` shortens that. Corò's stops where it predicts an end, which
    `end_token` puts among the words to be learned (his Appendix A.1); Song and Raghunathan have no end. What these
    leave open is taken from Corò: one matrix of words for input and output, a projection of the vector as first input,
    learned initial states, and for every text as many steps as the mean text has words of the vocabulary.

    `word_vectors`, a mapping or (words, matrix), tells what words have to do with each other: in the default it is
    where contributions start from, in the LSTM it is the matrix of words. The encoder's own vectors of the single words
    serve best, at one query a word. `rare_words` above 0 makes rare words count more: in the score that the default
    decides by, in the loss of the LSTM.
    """

    def __init__(
        self,
        *,
        recipe: Literal["default", "song", "coro"] = "default",
        vocabulary_size: int = 8000,
        epochs: int | None = None,
        end_token: bool = False,
        word_vectors: WordVectors | None = None,
        rare_words: float = 0.0,
    ) -> None:
        self.recipe = recipe
        self.vocabulary_size = vocabulary_size
        self.epochs = epochs
        self.end_token = end_token
        self.word_vectors = word_vectors
        self.rare_words = rare_words

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of `texts[i]`.

        `documents` says which texts belong together, so that the tenth on which it decides shares none with the rest.
        """
        self._check()
        vectors = as_pairs(vectors, texts, documents)
        lesson = Lesson.of(
            vectors, texts, documents, vocabulary_size=self.vocabulary_size, rare_words=self.rare_words, rng=rng
        )
        self.vocabulary_, self.width_ = lesson.vocabulary, vectors.shape[1]
        if self.recipe == "default":
            self.decoder_: ClosedForm | Recurrent = closed_form(lesson, self.word_vectors, rng, progress)
            return self
        from vestige.attacks.multiset.published import RECIPES, published

        self.decoder_ = published(
            lesson,
            RECIPES[self.recipe],
            word_vectors=self.word_vectors,
            epochs=self.epochs,
            end_token=self.end_token,
            rng=rng,
            progress=progress,
        )
        return self

    def infer(self, vectors: Vectors, *, steps: int | None = None) -> WordGuesses:
        """Ranked words with their probabilities, calibrated in the default recipe, and the set of those claimed.

        `steps` is how many words the LSTM names for each target, where its texts are longer or shorter than those it
        was taught on (Corò, Table 5.4). The default reads the size of a text off its vector and takes none.
        """
        if not hasattr(self, "decoder_"):
            raise NotFitted("MultiSetInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        return self._read(as_vectors(vectors, self.width_), steps).guesses(self.vocabulary_)

    def _read(self, vectors: Vectors, steps: int | None) -> Read:
        if steps is None:
            return self.decoder_.read(vectors)
        if isinstance(self.decoder_, ClosedForm):
            raise InputError("The 'steps' parameter must be left out with recipe 'default'.")
        check_floor("steps", steps, 1)
        return self.decoder_.read(vectors, steps)

    def _check(self) -> None:
        check_choice("recipe", self.recipe, ("default", "song", "coro"))
        if self.recipe == "default" and (self.epochs is not None or self.end_token):
            raise InputError("The 'epochs' and 'end_token' parameters must be left out with recipe 'default'.")
        for name, floor in {"epochs": 1, "vocabulary_size": 1, "rare_words": 0}.items():
            if getattr(self, name) is not None:
                check_floor(name, getattr(self, name), floor)
