"""One maker for every encoder there is; the contract suite runs over all of them."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bench.minilm_onnx import export_minilm

from tests.conftest import WordSum, toy_corpus
from tests.endpoint_server import serve
from tests.tiny_models import TOKENIZERS, tiny_checkpoint
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.encoders.metered import Metered
from vestige.text.corpus import Corpus
from vestige.types import Encoder

LEARNERS = [
    "tfidf",
    "hashing:4096",
    "lsa:tfidf:20",
    "lsa:hashing:20",
    "word2vec",
    "fasttext",
    "glove",
    "doc2vec",
    "dual:lstm",
    "dual:transformer",
]
REAL = ["minilm", "use", "wordllama", "glove-6b"]
SHARED = ["hf:granite-30m-english@cls", "st:granite-30m-english", "static:potion-base-8M"]


def shared_model(spec: str) -> str:
    """The spec with the folder that VESTIGE_MODELS names put before the model's name."""
    family, _, name = spec.partition(":")
    folder = os.environ.get("VESTIGE_MODELS")
    if not folder:
        pytest.skip("VESTIGE_MODELS names no folder of models")
    return f"{family}:{Path(folder) / name}"


@cache
def learning_corpus() -> Corpus:
    """Toy sentences, three a document."""
    return toy_corpus(60).sentences()


def makers(folder: Path) -> dict[str, Callable[[], Any]]:
    """Every encoder by name, made when it is called."""

    def minilm() -> Encoder:
        return load_encoder("minilm")

    made: dict[str, Callable[[], Any]] = {
        "word-sum": WordSum,
        "minilm bf16": lambda: load_encoder("minilm", precision="bf16"),
        "cached minilm": lambda: CachedEncoder(minilm(), folder / "cache"),
        "metered minilm": lambda: Metered(minilm(), budget=10**6),
        "onnx": lambda: load_encoder(f"onnx:{export_minilm(folder / 'onnx')}"),
        "http": lambda: load_encoder(f"{serve(WordSum())}#word-sum"),
    }
    for spec in REAL:
        made[spec] = lambda spec=spec: load_encoder(spec)
    for spec in SHARED:
        made[spec] = lambda spec=spec: load_encoder(shared_model(spec))
    for spec in LEARNERS:
        made[spec] = lambda spec=spec: load_encoder(spec, corpus=learning_corpus())
    for kind in TOKENIZERS:
        made[f"hf {kind}"] = lambda kind=kind: load_encoder(f"hf:{tiny_checkpoint(kind, folder / kind)}")
    return made


NAMES = list(makers(Path()))
