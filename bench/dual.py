"""Does a dual encoder find the next sentence in unseen speeches? Compared with chance, tf-idf and untrained weights.

The settings were chosen on a held-out part of the four fifths of the speeches that are used for training here.
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
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import split_documents
from vestige.types import Encoder

CANDIDATES = 1000
RECIPES = (DualRecipe.default("lstm"), DualRecipe.default("transformer"))


@dataclass(frozen=True)
class Retrieval:
    """The rank of the true next sentence among the candidates; a tie counts against it."""

    first: float
    first_ten: float
    mean_reciprocal_rank: float

    @classmethod
    def from_scores(cls, scores: npt.NDArray[np.floating]) -> "Retrieval":
        """From a square matrix of scores with the true pairs on its diagonal."""
        ranks = (scores >= np.diag(scores)[:, None]).sum(axis=1)
        return cls(float(np.mean(ranks == 1)), float(np.mean(ranks <= 10)), float(np.mean(1 / ranks)))

    def __str__(self) -> str:
        return f"recall@1 {self.first:.1%}, recall@10 {self.first_ten:.1%}, MRR {self.mean_reciprocal_rank:.4f}"


@dataclass(frozen=True)
class NextSentences:
    """Sentences, and for each the one that follows it; all have the same candidates."""

    queries: list[str]
    following: list[str]

    def retrieve_with(self, encoder: Encoder) -> Retrieval:
        """By dot product, as in Equation 2."""
        return Retrieval.from_scores(encoder.encode(self.queries) @ encoder.encode(self.following).T)


def run_paper() -> Iterator[str]:
    """The published settings of the LSTM, meant for a thousand times as much text."""
    training, pairs = _split()
    yield from _measure(DualRecipe.paper("lstm"), training, pairs)


def run() -> Iterator[str]:
    training, pairs = _split()
    yield f"the next sentence among {CANDIDATES:,} of unseen speeches, {len(training)} for training"
    yield f"  chance: {Retrieval(1 / CANDIDATES, 10 / CANDIDATES, float(np.mean(1 / np.arange(1, CANDIDATES + 1))))}"
    tfidf = load_encoder("tfidf", corpus=training.sentences()).fit()  # type: ignore[attr-defined]
    yield f"  tfidf: {pairs.retrieve_with(tfidf)}"
    for recipe in RECIPES:
        yield from _measure(recipe, training, pairs)


def _measure(recipe: DualRecipe, training: Corpus, pairs: NextSentences) -> Iterator[str]:
    random = replace(recipe, epochs=0, word_start="random").fit(training, rng=np.random.default_rng(0))
    yield f"  {random.name}, random weights: {pairs.retrieve_with(random)}"
    untrained = replace(recipe, epochs=0).fit(training, rng=np.random.default_rng(0))
    yield f"  {random.name}, untrained: {pairs.retrieve_with(untrained)}"
    start = time.perf_counter()
    encoder = recipe.fit(training, rng=np.random.default_rng(0))
    took = time.perf_counter() - start
    yield f"  {encoder.name}, trained in {took:.0f} s: {pairs.retrieve_with(encoder)}"
    with TemporaryDirectory() as folder:
        save_encoder(encoder, Path(folder) / "saved")
        again = load_encoder(f"saved:{folder}/saved")
        yield f"  {encoder.name}, saved and loaded: {pairs.retrieve_with(again)}"
    yield f"  {encoder.name}, peak memory of training: {peak_memory(_fit, recipe):,.0f} MiB"


def _split() -> tuple[Corpus, NextSentences]:
    corpus = load_corpus("speeches")
    split = split_documents(corpus.documents, 0.2, np.random.default_rng(11))
    sentences = corpus.take(split.target).sentences()
    follows = [row for row in range(len(sentences) - 1) if sentences.documents[row] == sentences.documents[row + 1]]
    rows = np.random.default_rng(1).choice(follows, CANDIDATES, replace=False)
    pairs = NextSentences([sentences.texts[row] for row in rows], [sentences.texts[row + 1] for row in rows])
    return corpus.take(split.auxiliary), pairs


def _fit(recipe: DualRecipe) -> None:
    replace(recipe, epochs=1).fit(_split()[0], rng=np.random.default_rng(0))
