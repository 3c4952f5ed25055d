"""Doc2Vec: a text's vector is the one from which the model best predicts the text's words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from vestige.encoders.fitted import EncoderState, FittedEncoder
from vestige.encoders.words.training import (
    ONE_THREAD,
    draw_gensim_seed,
    find_frequent_words,
    set_vocabulary,
    split_pieces,
    train_gensim,
)
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Progress, Vectors, silent

Doc2VecMode = Literal["dbow", "dm"]


@dataclass(frozen=True)
class Doc2VecRecipe:
    """Paragraph vectors (Le and Mikolov 2014) with the settings of Corò's thesis.

    "dbow", which the thesis uses, is the distributed bag of words, trained together with word vectors. "dm", which it
    describes in Section 2.2.2, is the distributed memory: the vector of the text and those of the words around predict
    a word. Here they are averaged; the thesis and one variant of the original concatenate them, which multiplies the
    size of the network by the window. The thesis does not state `min_count`; this is the default of gensim.
    """

    dimension: int = 300
    window: int = 15
    negatives: int = 5
    subsample: float = 1e-5
    learning_rate: float = 0.025
    last_learning_rate: float = 0.0001
    epochs: int = 20
    min_count: int = 5
    mode: Doc2VecMode = "dbow"

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> "Doc2Vec":
        """Learn to predict the words of every text from a vector of its own."""
        from gensim.models.doc2vec import TaggedDocument

        known = find_frequent_words(corpus, self.min_count)
        seed = draw_gensim_seed(rng)
        model = self.untrained(seed)
        model.dv.index_to_key = list(range(len(known.texts)))
        set_vocabulary(model, known.words, known.counts)
        documents = [
            TaggedDocument(piece, [row]) for row, text in enumerate(known.texts) for piece in split_pieces(text)
        ]
        train_gensim(model, documents, "training doc2vec", progress)
        vectors = model.wv.vectors if self.mode == "dm" else None
        return Doc2Vec(self, seed, known.words, np.array(known.counts), model.syn1neg, vectors)

    def untrained(self, seed: int) -> Any:
        """A gensim model with these settings and no words."""
        from gensim.models import Doc2Vec as GensimDoc2Vec

        return GensimDoc2Vec(
            dm=int(self.mode == "dm"),
            dbow_words=int(self.mode == "dbow"),
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


class Doc2Vec(FittedEncoder):
    """An encoder that infers a new vector for each text, with the epochs and learning rates of the training.

    Its state includes the matrix that predicts words from a vector and, for "dm" only, the word vectors, but never the
    vectors of the training texts. The random numbers are seeded with the words of the text and the fitted seed, so a
    vector is bit-identical alone, in any batch and in any process. A text without known words keeps its random initial
    vector.
    """

    family = "doc2vec"

    def __init__(
        self,
        recipe: Doc2VecRecipe,
        seed: int,
        vocabulary: Sequence[str],
        counts: npt.NDArray[np.int64],
        output: Vectors,
        word_vectors: Vectors | None = None,
    ) -> None:
        self.recipe = recipe
        self.seed = seed
        self.vocabulary = tuple(vocabulary)
        self.counts = counts
        self.output = output
        self.word_vectors = word_vectors

    @property
    def dimension(self) -> int:
        """Columns of every vector."""
        return self.recipe.dimension

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given."""
        advance = progress(f"encoding with {self.name}", len(texts))
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._infer(words(text))
            advance(1)
        return vectors

    def _infer(self, text: list[str]) -> Vectors:
        rng = self._generator(text)
        vector = ((rng.random(self.dimension) - 0.5) / self.dimension).astype(np.float32)
        self._model.random = np.random.RandomState(rng.bit_generator)
        known = list(split_pieces([word for word in text if word in self._model.wv.key_to_index]))
        for rate in np.linspace(self.recipe.learning_rate, self.recipe.last_learning_rate, self.recipe.epochs):
            for piece in known:
                self._update(piece, rate, vector)
        return vector

    def _update(self, piece: list[str], rate: float, vector: Vectors) -> None:
        """One pass over a piece of a text, which changes nothing but its vector."""
        from gensim.models.doc2vec_inner import train_document_dbow, train_document_dm

        work = np.zeros(self.dimension, dtype=np.float32)  # without it, gensim frees its own buffer too early
        fixed = {"learn_words": False, "learn_hidden": False, "doctag_vectors": vector}
        if self.recipe.mode == "dm":
            train_document_dm(self._model, piece, [0], rate, work, np.zeros(self.dimension, np.float32), **fixed)
        else:
            train_document_dbow(self._model, piece, [0], rate, work, **fixed)

    def _generator(self, text: list[str]) -> np.random.Generator:
        """The generator of a text. gensim would seed with Python's hash, which differs between processes."""
        digest = sha256(" ".join(text).encode()).digest()
        return np.random.default_rng([self.seed, int.from_bytes(digest[:16], "big")])

    @cached_property
    def _model(self) -> Any:
        model = self.recipe.untrained(self.seed)
        set_vocabulary(model, self.vocabulary, self.counts.tolist())
        model.syn1neg = np.ascontiguousarray(self.output)
        if self.word_vectors is not None:
            model.wv.vectors = np.ascontiguousarray(self.word_vectors)
        return model

    def state(self) -> EncoderState:
        """The recipe, the seed, the words and their counts, and the matrix that predicts words."""
        settings = {"recipe": asdict(self.recipe), "seed": self.seed, "words": list(self.vocabulary)}
        tensors: dict[str, npt.NDArray[Any]] = {"counts": self.counts, "output": self.output}
        if self.word_vectors is not None:
            tensors["word_vectors"] = self.word_vectors
        return EncoderState(settings, tensors)

    @classmethod
    def from_state(cls, state: EncoderState) -> Self:
        """Rebuild the encoder from its state."""
        recipe = Doc2VecRecipe(**state.settings["recipe"])
        return cls(recipe, state.settings["seed"], state.settings["words"], **state.tensors)


def parse_doc2vec(argument: str) -> Doc2VecRecipe:
    """The recipe of "doc2vec", the distributed bag of words, or of "doc2vec:dm", the distributed memory."""
    mode = next((known for known in get_args(Doc2VecMode) if known == argument), None)
    if argument and mode is None:
        raise InputError(f"'doc2vec:{argument}' names no variant; expected doc2vec, doc2vec:dbow or doc2vec:dm")
    return Doc2VecRecipe(mode=mode or "dbow")
