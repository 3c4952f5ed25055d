"""The probes of an audit: their order, and how they are chosen."""

import pytest

from vestige.attacks.attack import list_recipes
from vestige.errors import InputError
from vestige.probes.plan import check_recipe, choose_probes, list_audited_recipes, list_probes

ORDER = [
    "words",
    "words-cross-domain",
    "keywords",
    "keywords-cross-domain",
    "names",
    "attributes",
    "patterns",
    "sentences",
    "budget",
    "membership",
    "membership-training",
    "fingerprint",
]


def test_the_order_of_the_probes_is_fixed():
    assert [probe.name for probe in list_probes() if probe.name in ORDER] == ORDER


def test_chosen_probes_run_in_their_usual_order_and_no_choice_means_all():
    assert [probe.name for probe in choose_probes(["membership", "words"])] == ["words", "membership"]
    assert choose_probes([]) == list_probes()


def test_an_unknown_probe_is_refused_with_a_suggestion():
    with pytest.raises(InputError, match="unknown probe 'member'; did you mean 'membership'"):
        choose_probes(["words", "member"])


def test_a_recipe_is_one_that_some_probe_runs():
    check_recipe("default")
    check_recipe("pan-mlp")
    with pytest.raises(InputError, match="unknown recipe 'song-mps'; did you mean 'song-msp'"):
        check_recipe("song-mps")


def test_every_published_attack_on_words_keywords_attributes_patterns_and_budgets_is_audited():
    recipes = {"song-mlc", "song-msp", "song-sparse", "song-relaxed", "coro", "coro-listed", "pan-svm", "pan-mlp"}
    assert recipes | {"pan-dann", "pan-patterns", "pan-fingerprint", "song-attributes", "chen"} <= {
        *list_audited_recipes()
    }
    assert {*list_audited_recipes()} <= {*list_recipes()}
