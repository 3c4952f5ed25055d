import pytest

from vestige.defenses.catalogue import make_defense
from vestige.defenses.gaussian import Gaussian
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
        ("gaussian:1,1e-5", "has '1e-5' where a setting is due; expected name=value"),
        ("gaussian:1,delta=1", "The 'delta' parameter must be below 1"),
        ("binary:3", "has '3' where a setting is due"),
        ("subspace:2", "The 'share' parameter must be a number above 0 and at most 1. Got 2 instead"),
        ("subspace:0.1", "'share' parameter is for scatter=within; .* leave it out, or add scatter=within"),
        ("int8:ranges=rows", "The 'ranges' parameter must be 'columns' or 'all'. Got 'rows' instead"),
    ],
)
def test_a_spec_that_says_nothing_sensible_is_named(spec, message):
    with pytest.raises(InputError, match=message):
        make_defense(spec)


def test_a_defense_shows_its_settings():
    assert repr(Gaussian(epsilon=8)) == "Gaussian(epsilon=8)"
