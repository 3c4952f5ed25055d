"""What every registered attack guarantees, whatever its algorithm.

The attacks and their recipes come from the registry. Each is fitted on the toy world of its family with what its `fit`
demands, so that a new attack is under contract once it declares itself.
"""

import inspect
import re
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import cache
from typing import get_args

import numpy as np
import pytest

from tests.contracts.attack_families import build_families, spoil_vectors
from vestige.attacks.attack import ATTACKS, Access, AttackInfo, Role
from vestige.errors import InputError, NotFitted
from vestige.types import Guesses, TextGuesses, WordGuesses

KINDS = {name: entry.load() for name, entry in ATTACKS}
RUNS = [(name, recipe) for name, kind in KINDS.items() for recipe in kind.info.recipes]
SHORT = {
    "epochs": 4,
    "width": 64,
    "layers": 1,
    "steps": 30,
    "iterations": 300,
    "examples": 400,
    "queries": 30,
    "texts_each": 200,
    "substituted": 300,
}
"""Settings that make an attack quick."""

CLOSE = 1e-4
"""The last bits of a product may depend on the place of a row among others."""

DEMANDS = {
    "box": "weights",
    "encoder": "queries",
    "encoders": "queries",
    "index": "scores",
    "labels": "labels",
}
"""The access that a required parameter of `fit` implies."""

attacks = pytest.mark.parametrize("name", KINDS)
every = pytest.mark.parametrize(("name", "recipe"), RUNS, ids=[f"{name}-{recipe}" for name, recipe in RUNS])


def parameters(function):
    if function is object.__init__:
        return {}
    return dict(list(inspect.signature(function).parameters.items())[1:])


def is_required(parameter):
    return parameter.default is parameter.empty


def sees_vectors(kind):
    return kind.info.role != "prior" and "vectors" in parameters(kind.infer)


def make(kind, recipe, family):
    """An attack by one of its recipes, as quick as its settings allow.

    A setting that is None by default follows the recipe, and only the published recipes take long.
    """
    given = {}
    for name, parameter in parameters(kind.__init__).items():
        if name == "recipe":
            given[name] = recipe
        elif is_required(parameter):
            given[name] = family.settings[name]
        elif name in SHORT and (parameter.default is not None or recipe != kind.info.recipes[0]):
            given[name] = SHORT[name]
    return kind(**given)


def fit(kind, recipe, family, **changed):
    """Fit with everything that the family has and `fit` requires, and with `changed`, under one seed."""
    held = {**family.held, "rng": np.random.default_rng(0)}
    wanted = {"members", *(("vectors", "texts") if "pairs" in kind.info.access else ())}
    demanded = {name: held[name] for name, p in parameters(kind.fit).items() if is_required(p) or name in wanted}
    if "references" in parameters(kind.fit):
        demanded["references"] = held["references"]
    return make(kind, recipe, family).fit(**demanded | changed)


def infer(fitted, family, **changed):
    wanted = {name: p for name, p in parameters(fitted.infer.__func__).items() if is_required(p)}
    return fitted.infer(**{name: family.targets[name] for name in wanted} | changed)


@pytest.fixture(scope="module")
def families(tmp_path_factory):
    """The family of any record of guesses."""
    return build_families(tmp_path_factory.mktemp("families"))


@pytest.fixture(scope="module")
def fitted(families):
    """Any attack by name and recipe, fitted once, on copies that must not change."""

    def fit_once(name, recipe):
        kind = KINDS[name]
        family = families(kind.info.output)
        held = {key: deepcopy(value) for key, value in family.held.items()}
        attack = fit(kind, recipe, family)
        assert_same(family.held, held)
        return attack

    return cache(fit_once)


def assert_same(found, expected, tolerance=0.0):
    """The same data, however nested; objects that hold no data are passed over."""
    if isinstance(expected, (np.ndarray, float)):
        assert np.allclose(found, expected, rtol=0, atol=tolerance)
    elif is_dataclass(expected):
        assert_same(
            [getattr(found, f.name) for f in fields(expected)],
            [getattr(expected, f.name) for f in fields(expected)],
            tolerance,
        )
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        assert_same([*found.values()], [*expected.values()], tolerance)
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, tolerance)
    elif isinstance(expected, (str, int, frozenset)):
        assert found == expected


def assert_close(found, expected):
    """The same guesses up to rounding: the same texts or sets, and probabilities that hardly differ."""
    if isinstance(expected, TextGuesses):
        assert found.texts == expected.texts
    elif isinstance(expected, WordGuesses):
        assert found.sets == expected.sets
        for one, other in zip(found.ranked, expected.ranked, strict=True):
            assert_same([chance for _, chance in one], [chance for _, chance in other], CLOSE)
    else:
        assert_same(found, expected, CLOSE)


@attacks
def test_an_attack_declares_what_it_is(name):
    kind = KINDS[name]
    info = kind.info
    assert isinstance(info, AttackInfo)
    assert info.name == name
    assert info.output in get_args(Guesses)
    assert info.access
    assert set(info.access) <= set(get_args(Access))
    assert info.role in get_args(Role)
    assert inspect.signature(kind.infer).return_annotation in (info.output, info.output.__name__)
    assert 20 < len(info.summary) < 120
    assert not info.summary.endswith(".")
    assert not info.audited or info.description
    required = {parameter for parameter, p in parameters(kind.fit).items() if is_required(p)}
    assert {DEMANDS[parameter] for parameter in required & DEMANDS.keys()} <= set(info.access)
    assert ("box" in required) == ("weights" in info.access)
    assert not {"vectors", "texts"} <= required or "pairs" in info.access


@attacks
def test_a_docstring_says_what_the_adversary_sees(name):
    assert "The adversary sees:" in KINDS[name].__doc__
    year = re.search(r"\d{4}", KINDS[name].info.paper)
    assert year is None or year[0] in KINDS[name].__doc__


@attacks
def test_settings_are_keywords_that_are_stored_and_not_used(name, families):
    kind = KINDS[name]
    settings = parameters(kind.__init__)
    assert all(setting.kind is setting.KEYWORD_ONLY for setting in settings.values())
    values = {key: p.default for key, p in settings.items()} | dict(families(kind.info.output).settings)
    attack = kind(**{key: values[key] for key in settings})
    assert {key: getattr(attack, key) for key in settings} == {key: values[key] for key in settings}
    assert not [key for key in vars(attack) if key.endswith("_")]


@attacks
def test_only_the_declared_recipes_are_known(name, families):
    kind = KINDS[name]
    if "recipe" not in parameters(kind.__init__):
        assert kind.info.recipes == ("default",)
        return
    assert set(kind.info.recipes) == set(get_args(inspect.signature(kind.__init__).parameters["recipe"].annotation))
    with pytest.raises(InputError, match="The 'recipe' parameter must be"):
        fit(kind, "another", families(kind.info.output))


@attacks
def test_infer_before_fit_says_so(name, families):
    family = families(KINDS[name].info.output)
    with pytest.raises(NotFitted, match="fit"):
        infer(make(KINDS[name], KINDS[name].info.recipes[0], family), family)


@every
def test_guesses_have_the_shape_of_their_family(name, recipe, families, fitted):
    family = families(KINDS[name].info.output)
    targets = {key: deepcopy(value) for key, value in family.targets.items()}
    guesses = infer(fitted(name, recipe), family)
    assert type(guesses) is KINDS[name].info.output
    family.check(guesses)
    assert_same(family.targets, targets)


@attacks
def test_what_an_adversary_may_hold_in_addition_is_taken(name, families):
    kind = KINDS[name]
    family = families(kind.info.output)
    optional = {key for key, p in parameters(kind.fit).items() if not is_required(p) and key in family.held}
    attack = fit(kind, kind.info.recipes[0], family, **{key: family.held[key] for key in optional})
    family.check(infer(attack, family))


@every
def test_the_same_seed_gives_the_same_guesses_from_lists_and_doubles_as_well(name, recipe, families, fitted):
    kind = KINDS[name]
    family = families(kind.info.output)
    wide = {"vectors": family.held["vectors"].astype(np.float64)} if "vectors" in parameters(kind.fit) else {}
    again = fit(kind, recipe, family, **wide)
    listed = {"vectors": family.targets["vectors"].tolist()} if "vectors" in parameters(kind.infer) else {}
    assert_same(infer(again, family, **listed), infer(fitted(name, recipe), family))


@every
def test_a_guess_depends_on_its_own_target_and_on_nothing_else(name, recipe, families, fitted):
    family = families(KINDS[name].info.output)
    if family.rows is None or KINDS[name].info.role == "prior":
        pytest.skip("the guesses are not one per target, or the same for all")
    (key,) = [key for key, p in parameters(KINDS[name].infer).items() if is_required(p)]
    few = family.targets[key][:8]
    together = fitted(name, recipe).infer(few)
    assert_close(family.rows(fitted(name, recipe).infer(few[::-1]), slice(None, None, -1)), together)
    assert_close(fitted(name, recipe).infer(few[5:6]), family.rows(together, slice(5, 6)))
    assert_close(fitted(name, recipe).infer(few[:0]), family.rows(together, slice(0, 0)))


@attacks
def test_an_attack_beats_the_priors_and_chance(name, families, fitted):
    kind = KINDS[name]
    family = families(kind.info.output)
    if kind.info.role != "attack":
        pytest.skip("baselines are controlled in their own tests; a prior is what others must beat")
    priors = [
        prior for prior, other in KINDS.items() if (other.info.role, other.info.output) == ("prior", kind.info.output)
    ]
    scores = [family.score(infer(fitted(prior, KINDS[prior].info.recipes[0]), family)) for prior in priors]
    reached = family.score(infer(fitted(name, kind.info.recipes[0]), family))
    assert reached > max([*scores, family.chance]) + family.margin


@attacks
def test_what_cannot_be_learned_from_is_refused(name, families):
    kind = KINDS[name]
    family = families(kind.info.output)
    for changed in family.refused:
        if changed.keys() <= parameters(kind.fit).keys():
            with pytest.raises(InputError):
                fit(kind, kind.info.recipes[0], family, **changed)


@attacks
def test_what_is_no_table_of_finite_numbers_is_refused(name, families, fitted):
    kind = KINDS[name]
    if not sees_vectors(kind):
        pytest.skip("does not look at the vectors")
    family = families(kind.info.output)
    for value in spoil_vectors(family.targets["vectors"]):
        with pytest.raises(InputError):
            infer(fitted(name, kind.info.recipes[0]), family, vectors=value)


@attacks
def test_targets_of_another_encoder_are_refused(name, families, fitted):
    kind = KINDS[name]
    if not sees_vectors(kind) or kind.info.output.__name__ == "EncoderGuess":
        pytest.skip("does not look at the vectors, or identifies their encoder")
    family = families(kind.info.output)
    with pytest.raises(InputError, match="columns, and fit was given"):
        infer(fitted(name, kind.info.recipes[0]), family, vectors=family.targets["vectors"][:, 1:])
