"""What all tests share: a toy language, a toy encoder, and MiniLM; and which files start first."""

import os
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from zlib import crc32

import numpy as np
import pytest

from vestige.encoders.sentence_transformer import load_minilm
from vestige.errors import MissingExtra
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Progress, Vectors, silent

LONGEST = (
    "test_ray_cluster",
    "test_docs_examples",
    "test_contributing",
    "test_audit_resume",
    "test_audit_film_reviews",
    "test_plugins",
    "test_reproduce_pan",
    "test_reproduce_coro",
    "test_campaign",
)
"""The files of tests that take minutes. Two processes share the files: one that starts last would run alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the files that take longest, then those with most tests."""
    ranks, tests = {name: rank for rank, name in enumerate(LONGEST)}, Counter(item.path for item in items)
    items.sort(key=lambda item: (ranks.get(item.path.stem, len(ranks)), -tests[item.path]))


SOME_EXTRAS = "VESTIGE_SOME_EXTRAS"
"""The extras, and their modules, that tools/check_versions.py has not installed: a test that lacks one is skipped.

A module that is missing otherwise was removed from a newer version of a package, and is a failure."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:  # noqa: ARG001
    """Skip a test whose fixtures lack an extra."""
    with _skip_without_extras():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:  # noqa: ARG001
    """Skip a test that lacks an extra."""
    with _skip_without_extras():
        return (yield)


@contextmanager
def _skip_without_extras() -> Iterator[None]:
    try:
        yield
    except (MissingExtra, ModuleNotFoundError) as error:
        lacks = error.extra if isinstance(error, MissingExtra) else (error.name or "").partition(".")[0]
        if lacks not in os.environ.get(SOME_EXTRAS, "").split(","):
            raise
        pytest.skip(str(error))


@pytest.fixture(autouse=True, scope="session")
def no_tagger():
    """Hide the tagger, which is slow and not installed everywhere; a test that needs one loads it itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.text.tagger.find_model", lambda: None)
        yield


SYLLABLES = ("ba", "co", "du", "fe", "gi", "ka", "lo", "mu", "ne", "po")


class WordSum:
    """A toy encoder: the sum of one fixed random vector per word, at unit length. It leaks words by construction."""

    name = "word-sum"
    identity = "word-sum of 64 dimensions"
    dimension = 64

    def __init__(self) -> None:
        self.calls: list[int] = []

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        self.calls.append(len(texts))
        advance = progress("encoding", len(texts))
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text):
                rows[row] += np.random.default_rng(crc32(word.encode())).standard_normal(self.dimension)
            advance(1)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def toy_corpus(documents: int = 300, seed: int = 0) -> Corpus:
    """Documents of three sentences; a hundred made-up words, some frequent, some rare."""
    rng = np.random.default_rng(seed)
    lexicon = [first + second + "x" for first in SYLLABLES for second in SYLLABLES]
    chances = 1 / np.arange(1, len(lexicon) + 1)
    chances /= chances.sum()
    texts = [
        " ".join(" ".join(rng.choice(lexicon, size=9, p=chances)).capitalize() + "." for _ in range(3))
        for _ in range(documents)
    ]
    return Corpus("toy", texts)


@pytest.fixture
def encoder() -> WordSum:
    return WordSum()


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return toy_corpus()


@pytest.fixture(scope="session")
def toy_pairs() -> tuple[Vectors, list[str]]:
    texts = toy_corpus(400, seed=1).sentences(4, 40).texts
    return WordSum().encode(texts), texts


@pytest.fixture(scope="session")
def minilm():
    return load_minilm()
