"""Doc2Vec: a text's vector is the one from which the model would best guess the text's words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from vestige.encoders.fitted import Fitted, State
from vestige.encoders.words.frequent_words import frequent_words, pieces
from vestige.encoders.words.gensim_training import ONE_THREAD, gensim_seed, know_words, train
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Progress, Vectors, silent


@dataclass(frozen=True)
class Doc2VecRecipe:
    """Distributed bag of words with word vectors beside it (Le and Mikolov 2014), as Corò's thesis sets it.

    `min_count` is not given there; it is the default of gensim, with which the thesis trained.
    """

    dimension: int = 300
    window: int = 15
    negatives: int = 5
    subsample: float = 1e-5
    learning_rate: float = 0.025
    last_learning_rate: float = 0.0001
    epochs: int = 20
    min_count: int = 5

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Doc2Vec":
        """Learn to guess the words of every text from a vector of its own."""
        from gensim.models.doc2vec import TaggedDocument

        known = frequent_words(corpus, self.min_count)
        seed = gensim_seed(rng)
        model = self.untrained(seed)
        model.dv.index_to_key = list(range(len(known.texts)))
        know_words(model, known.words, known.counts)
        documents = [TaggedDocument(piece, [row]) for row, text in enumerate(known.texts) for piece in pieces(text)]
        train(model, documents, "training doc2vec", progress)
        return Doc2Vec(self, seed, known.words, np.array(known.counts), model.syn1neg)

    def untrained(self, seed: int) -> Any:
        """A gensim model with these settings that knows no words."""
        from gensim.models import Doc2Vec as GensimDoc2Vec

        return GensimDoc2Vec(
            dm=0,
            dbow_words=1,
            vector_size=self.dimension,
            window=self.window,
            negative=self.negatives,
            sample=self.subsample,
            alpha=self.learning_rate,
            min_alpha=self.last_learning_rate,
            epochs=self.epochs,
            seed=seed,
            **ONE_THREAD,
        )


class Doc2Vec(Fitted):
    """A vector inferred anew for each text, with the epochs and learning rates of the training.

    Only the matrix that guesses words from a vector is kept: neither the word vectors nor the vectors of the texts it
    was trained on take part. All chance comes from a digest of the words and the fitted seed, so a vector is the same
    to the last bit alone, in any batch and in any process. A text without known words stays at its random start.
    """

    family = "doc2vec"

    def __init__(
        self,
        recipe: Doc2VecRecipe,
        seed: int,
        vocabulary: Sequence[str],
        counts: npt.NDArray[np.int64],
        output: Vectors,
    ) -> None:
        self.recipe = recipe
        self.seed = seed
        self.vocabulary = tuple(vocabulary)
        self.counts = counts
        self.output = output

    @property
    def dimension(self) -> int:
        """Columns of every vector."""
        return self.recipe.dimension

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""
        advance = progress(f"encoding with {self.name}", len(texts))
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._infer(words(text))
            advance(1)
        return vectors

    def _infer(self, text: list[str]) -> Vectors:
        from gensim.models.doc2vec_inner import train_document_dbow

        rng = self._chance(text)
        vector = ((rng.random(self.dimension) - 0.5) / self.dimension).astype(np.float32)
        work = np.zeros(self.dimension, dtype=np.float32)  # left out, gensim frees its own before it writes there
        self._model.random = np.random.RandomState(rng.bit_generator)
        known = list(pieces([word for word in text if word in self._model.wv.key_to_index]))
        for rate in np.linspace(self.recipe.learning_rate, self.recipe.last_learning_rate, self.recipe.epochs):
            for piece in known:
                train_document_dbow(
                    self._model, piece, [0], rate, work, learn_words=False, learn_hidden=False, doctag_vectors=vector
                )
        return vector

    def _chance(self, text: list[str]) -> np.random.Generator:
        """Chance of a text's own. gensim would take Python's hash, which differs from one process to the next."""
        digest = sha256(" ".join(text).encode()).digest()
        return np.random.default_rng([self.seed, int.from_bytes(digest[:16], "big")])

    @cached_property
    def _model(self) -> Any:
        model = self.recipe.untrained(self.seed)
        know_words(model, self.vocabulary, self.counts.tolist())
        model.syn1neg = np.ascontiguousarray(self.output)
        return model

    def state(self) -> State:
        """The recipe, the seed, the words and their counts, and the matrix that guesses words."""
        settings = {"recipe": asdict(self.recipe), "seed": self.seed, "words": list(self.vocabulary)}
        return State(settings, {"counts": self.counts, "output": self.output})

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The encoder that had this state."""
        recipe = Doc2VecRecipe(**state.settings["recipe"])
        return cls(recipe, state.settings["seed"], state.settings["words"], **state.tensors)
