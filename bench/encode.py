"""MiniLM on sentences of mixed length, in both precisions, and the cache in front of it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Comparison, busy_processes, compare, peak_memory, run_with_avx2
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.precision import has_bf16
from vestige.encoders.sentence_transformer import load_minilm
from vestige.text.corpora import load_corpus
from vestige.types import Precision, Vectors

SENTENCES = 2000
BUSY, BUSY_SENTENCES = 2, 1000
PEER = "SentenceTransformer.encode at its defaults"


def read_sentences() -> list[str]:
    """Sentences of 3 to 60 words from the complaints, in order."""
    return load_corpus("complaints").sentences(3, 60).texts[:SENTENCES]


def run() -> Iterator[Comparison | str]:
    precisions: tuple[Precision, ...] = ("fp32", "bf16") if has_bf16() else ("fp32",)
    for precision in precisions:
        yield f"peak memory: ours in {precision} {peak_memory(_encode, precision):,.0f} MiB"
    yield f"peak memory: {PEER} {peak_memory(_encode_theirs):,.0f} MiB"
    texts = read_sentences()
    theirs = _load_peer()
    reference = theirs.encode(texts, show_progress_bar=False)
    for precision in precisions:
        ours = load_minilm(precision=precision)
        note = f"; cosine {_cosines(ours.encode(texts), reference)}"
        yield compare(
            f"encoding {SENTENCES:,} sentences with MiniLM in {precision}",
            lambda ours=ours: ours.encode(texts),  # type: ignore[misc]
            PEER,
            lambda: theirs.encode(texts, show_progress_bar=False),
            turns=3,
            note=note,
        )
    yield from _under_load(texts[:BUSY_SENTENCES], theirs)
    yield _second_pass(texts)


def run_avx2() -> Iterator[str]:
    """The same without newer instructions than AVX2."""
    return run_with_avx2("encode")


def _under_load(texts: list[str], theirs: Any) -> Iterator[Comparison]:
    """The same while other processes want every core, as on a laptop or a shared runner."""
    ours = load_minilm()
    with busy_processes(BUSY):
        yield compare(
            f"encoding {len(texts):,} sentences in fp32 while {BUSY} other processes are busy",
            lambda: ours.encode(texts),
            PEER,
            lambda: theirs.encode(texts, show_progress_bar=False),
            turns=3,
        )


def _second_pass(texts: list[str]) -> Comparison:
    ours = load_minilm()
    with tempfile.TemporaryDirectory() as folder:
        CachedEncoder(ours, Path(folder)).encode(texts)
        return compare(
            f"a second pass over {SENTENCES:,} sentences",
            lambda: CachedEncoder(ours, Path(folder)).encode(texts),
            "encoding them again",
            lambda: ours.encode(texts),
            turns=3,
        )


def _load_peer() -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(load_minilm().folder), device="cpu")


def _encode(precision: Precision) -> None:
    load_minilm(precision=precision).encode(read_sentences())


def _encode_theirs() -> None:
    _load_peer().encode(read_sentences(), show_progress_bar=False)


def _cosines(ours: Vectors, theirs: Vectors) -> str:
    norms = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    cosines = (ours.astype(np.float64) * theirs).sum(axis=1) / norms
    return f"{cosines.min():.7f} at the lowest, {np.median(cosines):.7f} in the middle"
