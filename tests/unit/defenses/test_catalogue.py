import subprocess
import sys

import numpy as np
import pytest

from tests.unit.defenses.plugin import Scaling, entry
from vestige.defend.candidates import list_candidates
from vestige.defenses.catalogue import DEFENSES, list_strengths, make_defense
from vestige.errors import InputError


@pytest.mark.parametrize(
    ("spec", "settings"),
    [
        ("rounding:2", {"decimals": 2}),
        ("rounding", {"decimals": 1}),
        ("laplace:eps=1", {"epsilon": 1, "sensitivity": None, "estimate": "largest"}),
        ("laplace:0.5,sens=20,est=mean", {"epsilon": 0.5, "sensitivity": 20, "estimate": "mean"}),
        ("gaussian:8,delta=1e-6", {"epsilon": 8, "delta": 1e-6, "norm": 1.0}),
        ("subspace:0.05,scatter=within,norm=true", {"share": 0.05, "scatter": "within", "normalise": True}),
        ("int8", {"ranges": "columns", "quantile": 1.0}),
    ],
)
def test_a_spec_names_a_defense_and_its_strength(spec, settings):
    assert make_defense(spec).get_params() == settings


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ronding:2", r"unknown defense 'ronding'; did you mean 'rounding'\?"),
        (
            "rounding:two",
            "The 'decimals' parameter must be a whole number, at least 0 and at most 12. Got 'two' instead",
        ),
        ("rounding:1.5", "must be a whole number"),
        ("rounding:-1", "must be a whole number"),
        ("laplace:eps=0", "The 'epsilon' parameter must be a number above 0. Got 0 instead"),
        ("laplace:eps=nan", "must be a number above 0"),
        ("laplace:eps=inf", "must be a number above 0"),
        ("laplace:e=1", r"no single setting 'e'; .*known: epsilon, estimate, sensitivity"),
        ("laplace:sigma=1", "no single setting 'sigma'"),
        ("gaussian:1,1e-5", "has '1e-5' where a setting belongs; expected name=value"),
        ("gaussian:1,delta=1", "The 'delta' parameter must be below 1"),
        ("binary:3", "has '3' where a setting belongs"),
        ("gaussian:", "gaussian:"),
        ("projection:99999999999", "99999999999"),
        ("subspace:2", "The 'share' parameter must be a number above 0 and at most 1. Got 2 instead"),
        ("subspace:0.1", "'share' parameter is for scatter=within; .* drop it, or add scatter=within"),
        ("int8:ranges=rows", "The 'ranges' parameter must be 'columns' or 'all'. Got 'rows' instead"),
    ],
)
def test_an_invalid_spec_is_refused(spec, message):
    with pytest.raises(InputError, match=message):
        make_defense(spec)


def test_the_registry_has_every_declared_defense_in_the_order_of_names():
    names = "autoencoder binary gaussian int8 laplace leace metric pca ppm pq projection rotation rounding subspace vmf"
    found = [name for name, _ in DEFENSES]
    assert found == sorted(found)
    assert set(names.split()) <= set(found)
    assert all(entry.load().info.name == name for name, entry in DEFENSES)


def test_a_summary_cites_the_paper_and_names_the_extra():
    assert DEFENSES["pca"].summary == "pca:DIMENSION, the directions of largest spread (Chen 2023, Section 6.0.3)"
    assert DEFENSES["binary"].summary == "one bit per number, as vector stores quantise"
    assert (DEFENSES["pq"].needs, DEFENSES["pq"].extra) == ("faiss", "faiss")
    assert (DEFENSES["leace"].needs, DEFENSES["leace"].extra) == ("concept_erasure", "leace")


@pytest.mark.parametrize(
    ("name", "specs"),
    [
        ("gaussian", ["gaussian:9984", "gaussian:3072", "gaussian:768"]),
        ("pca", ["pca:192", "pca:64", "pca:16"]),
        ("pq", ["pq:48"]),
        ("leace", ["leace"]),
    ],
)
def test_strengths_run_from_mild_to_strong(name, specs):
    assert list_strengths(name, 384) == specs


def test_a_strength_is_never_below_one():
    assert list_strengths("pca", 12) == ["pca:6", "pca:2", "pca:1"]


def test_listing_defenses_imports_nothing_heavy():
    script = (
        "import sys; from vestige.defenses.catalogue import DEFENSES; list(DEFENSES); "
        "print(sorted({'torch', 'faiss', 'concept_erasure', 'transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"[]\n"


@pytest.fixture
def plugins(monkeypatch):
    """Install entry points for the test; the registry is built anew with them, and again without them."""

    def install(**values):
        found = [entry(name, value) for name, value in values.items()]
        monkeypatch.setattr("vestige.registry.entry_points", lambda group: found if group == "vestige.defenses" else [])
        monkeypatch.delitem(vars(DEFENSES), "entries", raising=False)

    yield install
    vars(DEFENSES).pop("entries", None)
    DEFENSES.broken.clear()


def test_a_plugin_is_made_listed_and_swept_like_any_defense(plugins):
    plugins(scaling="tests.unit.defenses.plugin:Scaling")
    assert isinstance(make_defense("scaling:0.5"), Scaling)
    assert make_defense("scaling:fac=3").get_params() == {"factor": 3}
    assert DEFENSES["scaling"].summary == "scaling:FACTOR, every number times a factor (Nobody 2026, Section 1)"
    assert "scaling" in [name for name, _ in DEFENSES]
    swept = [candidate.spec for candidate in list_candidates(None, 64)]
    assert [spec for spec in swept if spec.startswith("scaling")] == ["scaling:64", "scaling:32"]
    np.testing.assert_array_equal(make_defense("scaling:2").fit([[1.0]]).transform([[3.0]]), [[6.0]])


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("absent", "tests.unit.defenses.plugin:Absent", "AttributeError"),
        ("plain", "tests.unit.defenses.plugin:Plain", "must derive from vestige.defenses.defense.Defense"),
        ("undeclared", "tests.unit.defenses.plugin:Undeclared", "must declare `info`, a DefenseInfo"),
        ("unfinished", "tests.unit.defenses.plugin:Unfinished", "has no method _transform_block"),
        ("rounding", "tests.unit.defenses.plugin:Scaling", "the name 'rounding' is taken by vestige"),
    ],
)
def test_a_broken_plugin_is_skipped_and_named(name, value, fault, plugins, caplog):
    builtin = [name for name, _ in DEFENSES]
    plugins(**{name: value})
    assert [name for name, _ in DEFENSES] == builtin
    assert fault in DEFENSES.broken[name]
    assert f"defense plugin '{name}' is skipped" in caplog.text
    if name != "rounding":
        with pytest.raises(InputError, match=f"defense '{name}' is a plugin that cannot be used"):
            make_defense(name)
