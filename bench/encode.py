"""MiniLM on sentences of mixed length, and the cache in front of it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.harness import Comparison, compare
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.minilm import load_minilm
from vestige.text.named import load_corpus

SENTENCES = 1000


def run() -> Iterator[Comparison]:
    from sentence_transformers import SentenceTransformer

    texts = load_corpus("complaints").sentences(3, 60).texts[:SENTENCES]
    ours = load_minilm()
    theirs = SentenceTransformer(str(ours.folder), device="cpu")
    cosines = (ours.encode(texts) * theirs.encode(texts)).sum(axis=1)
    yield compare(
        f"encoding {SENTENCES:,} sentences with MiniLM",
        lambda: ours.encode(texts),
        "SentenceTransformer.encode at its defaults",
        lambda: theirs.encode(texts, show_progress_bar=False),
        turns=5,
        note=f"; lowest cosine {np.min(cosines):.7f}",
    )
    with tempfile.TemporaryDirectory() as folder:
        CachedEncoder(ours, Path(folder)).encode(texts)
        yield compare(
            f"a second pass over {SENTENCES:,} sentences",
            lambda: CachedEncoder(ours, Path(folder)).encode(texts),
            "encoding them again",
            lambda: ours.encode(texts),
            turns=3,
        )
