"""The networks of the paper, and the batches that they learn from."""

from functools import cache
from zlib import crc32

import numpy as np
import pytest

from vestige.attacks.patterns.published_networks import IterationWatch, PublishedNetworks, draw_fresh, sinusoidal
from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.encoders.metered import Metered
from vestige.text.patterns import load_pattern
from vestige.types import silent

DESCRIPTION = """
template = "order {month}/{code} of {shop}"
secret = ["month", "code"]

[fields]
month = { range = [1, 12], digits = 2 }
code = { alphabet = "ABC", length = 3 }
shop.choices = ["Bath", "York", "Hull"]
"""


class CharacterSum:
    """The sum of one random vector a character and place."""

    name = identity = "character-sum"
    dimension = 48

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        return np.array([self._sum(text) for text in texts], np.float32)

    def _sum(self, text):
        return sum(_direction(place, character) for place, character in enumerate(text))


@cache
def _direction(place, character):
    return np.random.default_rng(crc32(f"{place}{character}".encode())).standard_normal(CharacterSum.dimension)


RECIPES = {
    "default": {"recipe": "default", "iterations": 150},
    "pan": {"recipe": "pan", "iterations": 600},
}


@pytest.fixture(scope="module")
def pattern(tmp_path_factory):
    path = tmp_path_factory.mktemp("pattern") / "order.toml"
    path.write_text(DESCRIPTION)
    return load_pattern(path)


def rng(seed=0):
    return np.random.default_rng(seed)


def fitted(pattern, recipe, encoder=None, seed=0, **changed):
    settings = {"pattern": pattern, "examples": 600, **RECIPES[recipe], **changed}
    return PatternReconstructor(**settings).fit(encoder or CharacterSum(), rng=rng(seed))


def test_the_published_networks_are_those_of_the_paper():
    attack = fitted("citizen-id", "pan", examples=200, iterations=1)
    assert isinstance(attack.networks_, PublishedNetworks)
    hidden = [
        [part.out_features for part in reader.network if hasattr(part, "out_features")]
        for reader in attack.networks_.networks
    ]
    assert hidden == [[400, 100], [25, 12], [200, 31]]
    (genome,) = fitted("genome", "pan", examples=200, iterations=1).networks_.networks
    assert [type(part).__name__ for part in genome.network] == [
        *("Linear", "BatchNorm1d", "Sigmoid", "Linear", "BatchNorm1d", "Sigmoid", "Linear"),
    ]
    assert [part.in_features for part in genome.network if hasattr(part, "in_features")] == [96, 400, 100]


def test_positions_by_hand():
    # Width 4: sin(i), cos(i / 10), sin(i / 100), cos(i / 1000) for i = 1 and 2.
    expected = [
        [np.sin(1), np.cos(0.1), np.sin(0.01), np.cos(0.001)],
        [np.sin(2), np.cos(0.2), np.sin(0.02), np.cos(0.002)],
    ]
    assert np.allclose(sinusoidal(2, 4), expected)


def test_every_batch_is_fresh_and_queried_once(pattern):
    asked = []

    def query(texts):
        asked.extend(texts)
        return CharacterSum().encode(texts)

    batches = list(draw_fresh(pattern, query, 65, rng()))
    assert [len(vectors) for vectors, _ in batches] == [128] * 65
    assert len(asked) == 65 * 128
    months = [int(text[6:8]) - 1 for text in asked]
    assert np.concatenate([labels[:, 0] for _, labels in batches]).tolist() == months


def test_fresh_texts_are_those_that_are_queried(pattern):
    encoder = Metered(CharacterSum())
    attack = fitted(pattern, "pan", encoder, iterations=300, fresh=True)
    assert encoder.spent == 300 * 128 + 1000
    assert attack.log_.steps == 300
    assert len(attack.log_.curve) == 100
    assert attack.log_.curve[-1][1] < attack.log_.curve[0][1] / 2


def test_a_training_that_still_falls_has_not_converged():
    watch = IterationWatch(1000)
    assert [step for step in range(1, 31) if watch.is_due(step)] == [10, 20, 30]
    for step in range(10, 1010, 10):
        watch.update(step, 1000 - step)
    assert not watch.log().converged
    assert watch.log().curve[-1] == (1000, 0)
    assert "1,000 iterations" in watch.log().rule


def test_a_training_that_has_become_flat_has_converged():
    watch = IterationWatch(100)
    for step in range(1, 101):
        watch.update(step, 1.0 if step > 20 else 3.0)
    assert watch.log().converged


def test_our_own_training_has_no_rule(pattern):
    assert fitted(pattern, "default", iterations=1).log_ is None
