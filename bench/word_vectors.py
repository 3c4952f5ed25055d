"""Word vectors and paragraph vectors trained on the shipped speeches: time, memory, agreement with pretrained ones."""

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from scipy.stats import spearmanr

from bench.harness import own_peak
from vestige.encoders.load import load_encoder, load_learned
from vestige.text.corpora import load_corpus
from vestige.types import Vectors

FAMILIES = ("word2vec", "fasttext", "glove", "doc2vec")
WORDS = 1500


def run() -> Iterator[str]:
    pretrained = _cosines(load_encoder("glove-6b").encode(_words()))
    for family in FAMILIES:
        with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
            line, vectors = process.submit(_train, family).result()
        agreement = spearmanr(_cosines(vectors), pretrained).statistic
        yield f"{line}; Spearman with pretrained GloVe over pairs of the {WORDS:,} most frequent words {agreement:.3f}"


def _train(family: str) -> tuple[str, Vectors]:
    corpus = load_corpus("speeches").sentences()
    start = time.perf_counter()
    fitted = load_learned(family, corpus).fit()
    took = time.perf_counter() - start
    peak = own_peak()
    some = corpus.texts[:4000]
    start = time.perf_counter()
    fitted.encode(some)
    speed = len(some) / (time.perf_counter() - start)
    line = f"{family} on {len(corpus):,} sentences: {took:.0f} s, peak {peak:,.0f} MiB"
    return f"{line}, then {speed:,.0f} sentences per second", fitted.encode(_words())


def _words() -> list[str]:
    """The most frequent content words of the speeches."""
    fitted: list[str] = load_encoder(f"tfidf:{WORDS}@speeches").fit().words  # type: ignore[attr-defined]
    return fitted


def _cosines(vectors: Vectors) -> Vectors:
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    upper = np.triu_indices(len(unit), 1)
    cosines: Vectors = (unit @ unit.T)[upper]
    return cosines
