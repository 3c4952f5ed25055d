"""Limits of the owner: what they are checked against, and when they fail."""

from dataclasses import replace

import pytest

from tests.sample_result import finding, measure
from vestige.audit.gate import parse_gate
from vestige.errors import InputError
from vestige.probes.plan import list_probes
from vestige.types import Score

FINDING = finding(leakage=0.45)


def check(expression, *findings):
    return parse_gate(expression, list_probes()).check(findings or [FINDING])


@pytest.mark.parametrize(
    ("expression", "held"),
    [("words>0.55", True), ("words>0.35", False), ("words.recall>=0.01", False), ("words.recall<0.5", True)],
)
def test_a_gate_fails_if_its_condition_is_met(expression, held):
    assert check(expression).held is held


def test_a_gate_may_apply_to_an_end_of_the_interval():
    leaky = replace(FINDING, leakage=Score(0.45, 0.4, 0.5, 99))
    assert check("words.low>0.42", leaky).held
    assert not check("words>0.42", leaky).held
    assert not check("words.high>0.48", leaky).held
    f1 = FINDING.measure("f1").attack
    assert not check(f"words.f1.low>{f1.low - 0.001:.6f}").held
    assert check(f"words.f1.low>{f1.low + 0.001:.6f}").held


def test_an_interval_that_includes_the_limit_is_mentioned():
    leaky = replace(FINDING, leakage=Score(0.45, 0.4, 0.5, 99))
    assert check("words>0.42", leaky).explanation.endswith(
        "(95% interval 0.4000 to 0.5000); the interval includes the limit"
    )
    assert "includes" not in check("words>0.3", leaky).explanation


def test_a_probe_that_did_not_run_or_cannot_be_trusted_does_not_pass():
    assert not check("names>0.99").held
    assert "did not run" in check("names>0.99").explanation
    doubtful = replace(FINDING, warnings=("do not rely on this",))
    assert not check("words>0.99", doubtful).held
    unmeasured = replace(FINDING, measures=FINDING.measures[:1])
    assert "does not apply" in check("words.recall>0.99", unmeasured).explanation


def test_the_fewest_queries_that_meet_the_condition_are_named():
    measures = [measure(f"queries_{count}", "P@5", attack, 0.1, 0.1) for count, attack in ((10, 0.15), (1000, 0.4))]
    budget = replace(FINDING, probe="budget", measures=tuple(measures))
    assert check("budget>0.2", budget).explanation.endswith("; met with 1,000 queries or more")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("word>0.3", "did you mean 'words'"),
        ("words.recal>0.3", "names no measure; did you mean 'recall'"),
        ("words=0.3", "cannot be read; expected a form such as"),
    ],
)
def test_a_gate_that_cannot_be_read_is_refused(expression, message):
    with pytest.raises(InputError, match=message):
        parse_gate(expression, list_probes())


@pytest.mark.parametrize("probe", ["membership", "membership-training"])
def test_limits_on_membership_are_read(probe):
    named = next(known for known in list_probes() if known.name == probe)
    assert parse_gate(f"{probe}>0.5", list_probes()).measure is None
    assert [parse_gate(f"{probe}.{measure}>=0.2", list_probes()).measure for measure in named.measures] == [
        *named.measures
    ]
    with pytest.raises(InputError, match="names no measure"):
        parse_gate(f"{probe}.recall>0.5", list_probes())


@pytest.mark.parametrize("expression", ["words>30", "words.recall<-2"])
def test_a_limit_that_no_score_reaches_is_refused(expression):
    with pytest.raises(InputError, match=r"0\.30 for 30 percent"):
        parse_gate(expression, list_probes())
