"""What every encoder must keep, plain or wrapped."""

import numpy as np
import pytest

from tests.conftest import WordSum
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.metered import Metered

TEXTS = [
    "I disputed the charge and nobody answered.",
    "The bank closed my account.",
    "",
    "🙂🙃 emoji and ünïcödé",
    "word " * 10_000,
    "The bank closed my account.",
]


@pytest.fixture(params=["word-sum", "minilm", "cached minilm", "metered minilm"], scope="module")
def any_encoder(request, minilm, tmp_path_factory):
    made = {
        "word-sum": WordSum,
        "minilm": lambda: minilm,
        "cached minilm": lambda: CachedEncoder(minilm, tmp_path_factory.mktemp("vectors")),
        "metered minilm": lambda: Metered(minilm, budget=10**6),
    }
    return made[request.param]()


def test_shape_type_and_finiteness(any_encoder):
    vectors = any_encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), any_encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()


def test_no_texts_give_no_rows(any_encoder):
    assert any_encoder.encode([]).shape == (0, any_encoder.dimension)


def test_the_same_bits_again_alone_and_in_any_order(any_encoder):
    vectors = any_encoder.encode(TEXTS)
    assert (any_encoder.encode(TEXTS) == vectors).all()
    assert (any_encoder.encode(TEXTS[::-1]) == vectors[::-1]).all()
    assert (any_encoder.encode(TEXTS[1:2]) == vectors[1:2]).all()
    assert (vectors[1] == vectors[5]).all()


def test_it_names_itself(any_encoder):
    assert any_encoder.name
    assert any_encoder.identity


def test_progress_reaches_the_end(any_encoder):
    seen = []

    def progress(_task, total):
        seen.append(total)
        return lambda steps: seen.append(-steps)

    any_encoder.encode(["one text never met before", "and another one"], progress=progress)
    assert sum(seen) == 0
    assert seen
