"""The registry of attacks, which is derived from what they declare."""

import subprocess
import sys

import pytest

from vestige.attacks.attack import ATTACKS, find_recipe, list_recipes
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.errors import InputError
from vestige.types import WordGuesses


def test_three_word_inverters_enter_an_audit():
    audited = {name: entry.load().info for name, entry in ATTACKS if entry.load().info.audited}
    assert list(audited) == ["multilabel", "multiset", "sparse"]
    assert all(info.output is WordGuesses for info in audited.values())
    assert "default recipe" in audited["multilabel"].description.format(recipe="default")


def test_every_question_has_a_prior_among_the_attacks():
    outputs = {entry.load().info.output.__name__ for _, entry in ATTACKS if entry.load().info.role == "prior"}
    assert outputs == {"WordGuesses", "TextGuesses", "LabelGuesses"}


def test_a_name_that_is_nearly_right_is_suggested():
    with pytest.raises(InputError, match="unknown attack 'multi-label'; did you mean 'multilabel'"):
        ATTACKS["multi-label"]


def test_listing_the_attacks_loads_no_heavy_library():
    code = (
        "import sys; from vestige.attacks.attack import ATTACKS; assert len(list(ATTACKS)) >= 28; "
        "print([name for name in ('torch', 'sklearn', 'transformers') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_attacks_of_the_papers_have_names():
    kind, settings = find_recipe("song-mlc")
    assert kind is MultiLabelInverter
    assert vars(kind(**settings)) == vars(MultiLabelInverter(recipe="paper", words="all"))
    assert {
        *("song-mlc", "song-msp", "song-sparse", "song-relaxed", "coro", "coro-listed"),
        *("pan-svm", "pan-mlp", "pan-dann", "chen"),
    } <= list_recipes().keys()


def test_a_name_belongs_to_one_attack_and_its_recipe_is_declared():
    kinds = [entry.load() for _, entry in ATTACKS]
    assert len(list_recipes()) == sum(len(kind.info.named_recipes) for kind in kinds)
    for kind, settings in list_recipes().values():
        assert settings.get("recipe", "default") in kind.info.recipes
        if kind.info.name != "patterns":
            kind(**settings)


def test_an_unknown_recipe_is_refused_with_a_suggestion():
    with pytest.raises(InputError, match="unknown recipe 'song-mcl'; did you mean 'song-mlc'"):
        find_recipe("song-mcl")
