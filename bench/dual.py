"""Does a dual encoder find the next sentence in speeches it never saw? Beside chance, tf-idf and untrained weights.

Settings were chosen on other speeches: of the four fifths that are studied here, a part was held back while choosing.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from bench.harness import peak_memory
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.load import load_encoder
from vestige.encoders.saved import save_encoder
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.split import split_documents
from vestige.types import Encoder

CANDIDATES = 1000
RECIPES = (DualRecipe.default("lstm"), DualRecipe.default("transformer"))


@dataclass(frozen=True)
class Retrieval:
    """How high the true next sentence stands among the candidates; a tie counts against."""

    first: float
    first_ten: float
    mean_reciprocal_rank: float

    @classmethod
    def of(cls, scores: npt.NDArray[np.floating]) -> "Retrieval":
        """From a square of scores, the right ones on its diagonal."""
        ranks = (scores >= np.diag(scores)[:, None]).sum(axis=1)
        return cls(float(np.mean(ranks == 1)), float(np.mean(ranks <= 10)), float(np.mean(1 / ranks)))

    def __str__(self) -> str:
        return f"recall@1 {self.first:.1%}, recall@10 {self.first_ten:.1%}, MRR {self.mean_reciprocal_rank:.4f}"


@dataclass(frozen=True)
class Questions:
    """Sentences, and for each the one that follows it: every question has the same candidates."""

    asked: list[str]
    following: list[str]

    def answered_by(self, encoder: Encoder) -> Retrieval:
        """By dot product, as Eq. 2 compares them."""
        return Retrieval.of(encoder.encode(self.asked) @ encoder.encode(self.following).T)


def run_paper() -> Iterator[str]:
    """The published settings of the LSTM, made for a thousand times as much text."""
    studied, questions = _sides()
    yield from _measured(DualRecipe.paper("lstm"), studied, questions)


def run() -> Iterator[str]:
    studied, questions = _sides()
    yield f"the next sentence among {CANDIDATES:,} of speeches never seen, {len(studied)} speeches studied"
    yield f"  chance: {Retrieval(1 / CANDIDATES, 10 / CANDIDATES, float(np.mean(1 / np.arange(1, CANDIDATES + 1))))}"
    tfidf = load_encoder("tfidf", corpus=studied.sentences()).fitted()  # type: ignore[attr-defined]
    yield f"  tfidf: {questions.answered_by(tfidf)}"
    for recipe in RECIPES:
        yield from _measured(recipe, studied, questions)


def _measured(recipe: DualRecipe, studied: Corpus, questions: Questions) -> Iterator[str]:
    random = replace(recipe, epochs=0, word_start="random").fit(studied, rng=np.random.default_rng(0))
    yield f"  {random.name}, random weights: {questions.answered_by(random)}"
    untrained = replace(recipe, epochs=0).fit(studied, rng=np.random.default_rng(0))
    yield f"  {random.name}, untrained: {questions.answered_by(untrained)}"
    start = time.perf_counter()
    encoder = recipe.fit(studied, rng=np.random.default_rng(0))
    took = time.perf_counter() - start
    yield f"  {encoder.name}, trained in {took:.0f} s: {questions.answered_by(encoder)}"
    with TemporaryDirectory() as folder:
        save_encoder(encoder, Path(folder) / "kept")
        again = load_encoder(f"saved:{folder}/kept")
        yield f"  {encoder.name}, saved and loaded: {questions.answered_by(again)}"
    yield f"  {encoder.name}, peak memory of training: {peak_memory(_fit, recipe):,.0f} MiB"


def _sides() -> tuple[Corpus, Questions]:
    corpus = load_corpus("speeches")
    split = split_documents(corpus.documents, 0.2, np.random.default_rng(11))
    sentences = corpus.take(split.target).sentences()
    follows = [row for row in range(len(sentences) - 1) if sentences.documents[row] == sentences.documents[row + 1]]
    rows = np.random.default_rng(1).choice(follows, CANDIDATES, replace=False)
    questions = Questions([sentences.texts[row] for row in rows], [sentences.texts[row + 1] for row in rows])
    return corpus.take(split.auxiliary), questions


def _fit(recipe: DualRecipe) -> None:
    replace(recipe, epochs=1).fit(_sides()[0], rng=np.random.default_rng(0))
