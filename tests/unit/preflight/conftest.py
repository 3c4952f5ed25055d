import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.preflight import Specimen


class Other(WordSum):
    """The same dimension, other word vectors."""

    name = identity = "other"

    def encode(self, texts, **_):
        return super().encode([" ".join(f"o{word}" for word in text.split()) for text in texts])


class Bare(WordSum):
    """Lengths differ: the sum as it is, after the same directions."""

    name = identity = "bare"

    def encode(self, texts, **_):
        lengths = np.array([[3 + text.count("b")] for text in texts], dtype=np.float32)
        return super().encode(texts) * lengths


@pytest.fixture(scope="session")
def texts():
    return list(dict.fromkeys(toy_corpus(400, seed=5).sentences(4, 40).texts))[:400]


@pytest.fixture(scope="session")
def clean(texts):
    return WordSum().encode(texts)


@pytest.fixture
def specimen(texts):
    def make(vectors, *, texts=texts, form="float32", rows=None, **beside):
        numbers = list(range(len(vectors)))
        return Specimen("v.npy", rows or len(vectors), form, vectors, texts, beside, numbers)

    return make


@pytest.fixture
def library(monkeypatch):
    """Encoders that are installed, by name."""
    made = {"word-sum": WordSum(), "other": Other()}
    monkeypatch.setattr("vestige.preflight.maker.load_encoder", made.__getitem__)
    return tuple(made)
