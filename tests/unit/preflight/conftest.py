import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.preflight import VectorSample


class Other(WordSum):
    """An encoder of the same dimension with other word vectors."""

    name = identity = "other"

    def encode(self, texts, **_):
        return super().encode([" ".join(f"o{word}" for word in text.split()) for text in texts])


class Bare(WordSum):
    """An encoder with the same directions and other lengths."""

    name = identity = "bare"

    def encode(self, texts, **_):
        lengths = np.array([[3 + text.count("b")] for text in texts], dtype=np.float32)
        return super().encode(texts) * lengths


def get_check(preflight, name):
    (check,) = preflight.named(name)
    return check


def list_alarms(preflight):
    return {check.name: check.level for check in preflight.checks if check.level != "ok"}


@pytest.fixture(scope="session")
def texts():
    return list(dict.fromkeys(toy_corpus(400, seed=5).sentences(4, 40).texts))[:400]


@pytest.fixture(scope="session")
def clean(texts):
    return WordSum().encode(texts)


@pytest.fixture
def make_sample(texts):
    def make(vectors, *, texts=texts, form="float32", rows=None, **metadata):
        numbers = list(range(len(vectors)))
        return VectorSample("v.npy", rows or len(vectors), form, vectors, texts, metadata, numbers)

    return make


@pytest.fixture
def library(monkeypatch):
    """The installed encoders, by name."""
    encoders = {"word-sum": WordSum(), "other": Other()}
    monkeypatch.setattr("vestige.preflight.encoder_identification.load_encoder", encoders.__getitem__)
    return tuple(encoders)
