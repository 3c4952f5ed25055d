"""Pattern reconstruction on an encoder that gives every character at every place away, and on one that does not."""

from functools import cache
from zlib import crc32

import numpy as np
import pytest

from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.encoders.metered import Metered
from vestige.errors import BudgetExceeded, InputError, NotFitted
from vestige.metrics.pattern_recovery import pattern_recovery
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


class Deaf(CharacterSum):
    """Vectors that have nothing to do with their text."""

    def encode(self, texts, *, progress=silent):
        return super().encode(texts, progress=progress)[np.random.default_rng(5).permutation(len(texts))]


RECIPES = {
    "default": {"recipe": "default", "iterations": 150},
    "pan": {"recipe": "pan", "iterations": 600},
}


each_recipe = pytest.mark.parametrize("recipe", RECIPES)


@pytest.fixture(scope="module")
def pattern(tmp_path_factory):
    path = tmp_path_factory.mktemp("pattern") / "order.toml"
    path.write_text(DESCRIPTION)
    return load_pattern(path)


@pytest.fixture(scope="module")
def targets(pattern):
    return pattern.generate(200, rng(9))


def rng(seed=0):
    return np.random.default_rng(seed)


def fitted(pattern, recipe, encoder=None, seed=0, **changed):
    settings = {"pattern": pattern, "examples": 600, **RECIPES[recipe], **changed}
    return PatternReconstructor(**settings).fit(encoder or CharacterSum(), rng=rng(seed))


@pytest.fixture(scope="module")
def attacks(pattern):
    return {recipe: fitted(pattern, recipe) for recipe in RECIPES}


@each_recipe
def test_what_the_vectors_give_away_is_read(recipe, attacks, targets):
    found = pattern_recovery(attacks[recipe].infer(CharacterSum().encode(targets.texts)), targets.secrets)
    assert list(found.fields) == ["month", "code[1]", "code[2]", "code[3]"]
    assert all(field.top1.value > 0.8 for field in found.fields.values())
    assert found.whole.top1.value > 0.6 > 100 * found.whole.top1.baseline


@each_recipe
def test_what_they_do_not_give_away_is_not(recipe, pattern, targets):
    guesses = fitted(pattern, recipe, Deaf()).infer(CharacterSum().encode(targets.texts))
    found = pattern_recovery(guesses, targets.secrets)
    assert all(field.top1.value < field.top1.baseline + 0.15 for field in found.fields.values())


@each_recipe
def test_probabilities_add_up_and_a_row_depends_on_its_own_vector(recipe, attacks, targets):
    vectors = CharacterSum().encode(targets.texts)
    guesses, backwards = attacks[recipe].infer(vectors), attacks[recipe].infer(vectors[::-1])
    for name, table in guesses.probabilities.items():
        assert table.shape == (200, len(guesses.values[name]))
        assert np.allclose(table.sum(axis=1), 1)
        assert np.allclose(table, backwards.probabilities[name][::-1], atol=1e-6)
        assert np.allclose(table[7:8], attacks[recipe].infer(vectors[7:8]).probabilities[name], atol=1e-6)


@each_recipe
def test_the_same_seed_gives_the_same_bytes(recipe, pattern, attacks, targets):
    vectors = CharacterSum().encode(targets.texts[:5])
    one, other = attacks[recipe].infer(vectors), fitted(pattern, recipe).infer(vectors)
    assert all((one.probabilities[name] == other.probabilities[name]).all() for name in one.values)
    changed = fitted(pattern, recipe, seed=1).infer(vectors)
    assert any((one.probabilities[name] != changed.probabilities[name]).any() for name in one.values)


def test_no_targets_give_no_guesses(attacks):
    guesses = attacks["default"].infer(np.empty((0, 48), np.float32))
    assert {name: table.shape for name, table in guesses.probabilities.items()} == {
        "month": (0, 12),
        **{f"code[{place}]": (0, 3) for place in (1, 2, 3)},
    }


def test_it_asks_for_as_many_texts_as_it_says(pattern):
    encoder = Metered(CharacterSum(), budget=50)
    fitted(pattern, "default", encoder, examples=50, iterations=1)
    assert encoder.spent == 50
    with pytest.raises(BudgetExceeded):
        fitted(pattern, "default", encoder, examples=50)


def test_a_shipped_pattern_by_its_name():
    attack = fitted("genome", "default", examples=30, iterations=1)
    assert len(attack.infer(np.ones((1, 48), np.float32)).values) == 20


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"recipe": "song"}, "The 'recipe' parameter must be 'default' or 'pan'. Got 'song' instead."),
        ({"examples": 5}, "The 'examples' parameter must be at least 20. Got 5 instead."),
        ({"iterations": 0}, "The 'iterations' parameter must be at least 1. Got 0 instead."),
        ({"pattern": "genom"}, "did you mean 'genome'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused(settings, said, pattern):
    with pytest.raises(InputError, match=said):
        PatternReconstructor(**{"pattern": pattern, **settings}).fit(CharacterSum(), rng=rng())


def test_targets_must_be_of_the_same_encoder(attacks, pattern):
    with pytest.raises(InputError, match="47 columns, and fit was given 48"):
        attacks["default"].infer(np.ones((2, 47), np.float32))
    with pytest.raises(InputError, match="NaN"):
        attacks["pan"].infer(np.full((2, 48), np.nan))
    with pytest.raises(NotFitted, match="before fit"):
        PatternReconstructor(pattern=pattern).infer(np.ones((2, 48), np.float32))


@pytest.mark.parametrize("recipe", ["default", "pan"])
def test_the_device_is_checked(recipe):
    attack = PatternReconstructor(pattern=load_pattern("birth-date"), recipe=recipe, examples=40, device="tpu")
    with pytest.raises(InputError, match="'device' parameter must be"):
        attack.fit(CharacterSum(), rng=np.random.default_rng(0))
