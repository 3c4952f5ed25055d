"""The networks of the paper, and the batches that they learn from."""

from functools import cache
from zlib import crc32

import numpy as np
import pytest

from vestige.attacks.patterns.field_classifiers import PublishedNetworks, draw_batches, sinusoidal
from vestige.attacks.patterns.reconstructor import PatternReconstructor
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
    "pan": {"recipe": "pan", "iterations": 400},
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


def test_every_row_is_seen_before_any_is_seen_again():
    drawn = np.concatenate(list(draw_batches(10, 5, 4, rng())))
    assert sorted(drawn[:10].tolist()) == sorted(drawn[10:].tolist()) == list(range(10))
    assert [len(rows) for rows in draw_batches(3, 5, 2, rng())] == [3, 3]
