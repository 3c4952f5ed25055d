"""One factory per encoder; the contract tests run over all of them."""

import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.endpoint_server import serve
from tests.onnx_export import export_minilm
from tests.tiny_models import TOKENIZERS, tiny_checkpoint
from tests.tiny_recurrent import tiny_infersent, tiny_skip_thought
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import FAMILIES, load_encoder
from vestige.encoders.memoized import Memoized
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
    "doc2vec:dm",
    "dual:lstm",
    "dual:transformer",
]
SINGLE = [name for name, family in FAMILIES.items() if family.single]
SAVED_BY = 5
SHARED = ["hf:granite-30m-english@cls", "st:granite-30m-english", "static:potion-base-8M"]


def shared_model(spec: str) -> str:
    """The spec of a model in the folder that VESTIGE_MODELS names."""
    family, _, name = spec.partition(":")
    folder = os.environ.get("VESTIGE_MODELS")
    if not folder:
        pytest.skip("VESTIGE_MODELS names no folder of models")
    if name.startswith("granite") and int(version("transformers").partition(".")[0]) < SAVED_BY:
        pytest.skip(f"the model was saved by transformers {SAVED_BY}, and older versions cannot read its tokenizer")
    return f"{family}:{Path(folder) / name}"


@cache
def learning_corpus() -> Corpus:
    """Toy sentences, three per document."""
    return toy_corpus(60).sentences()


def encoder_factories(folder: Path) -> dict[str, Callable[[], Any]]:
    """A factory for every encoder, by name."""

    def minilm() -> Encoder:
        return load_encoder("minilm")

    factories: dict[str, Callable[[], Any]] = {
        "word-sum": WordSum,
        "minilm bf16": lambda: load_encoder("minilm", precision="bf16"),
        "cached minilm": lambda: CachedEncoder(minilm(), folder / "cache"),
        "memoized": lambda: Memoized(WordSum()),
        "metered minilm": lambda: Metered(minilm(), budget=10**6),
        "onnx": lambda: load_encoder(f"onnx:{export_minilm(folder / 'onnx')}"),
        "skipthought": lambda: load_encoder(f"skipthought:{tiny_skip_thought(folder / 'skip')}"),
        "infersent": lambda: load_encoder(f"infersent:{tiny_infersent(folder / 'infer')}"),
        "http": lambda: load_encoder(f"{serve(WordSum())}#word-sum"),
    }
    for spec in SINGLE:
        factories[spec] = lambda spec=spec: load_encoder(spec)
    for spec in SHARED:
        factories[spec] = lambda spec=spec: load_encoder(shared_model(spec))
    for spec in LEARNERS:
        factories[spec] = lambda spec=spec: load_encoder(spec, corpus=learning_corpus())
    for kind in TOKENIZERS:
        factories[f"hf {kind}"] = lambda kind=kind: load_encoder(f"hf:{tiny_checkpoint(kind, folder / kind)}")
    return factories


NAMES = list(encoder_factories(Path()))
