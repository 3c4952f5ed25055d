"""A comparison as SARIF and as JUnit."""

import json
from xml.etree import ElementTree as ET

from tests.sample_comparison import compared
from vestige.report.compare_ci import build_comparison_junit, build_comparison_sarif


def test_sarif_has_a_result_per_probe_that_is_worse_and_condition_that_failed():
    (run,) = json.loads(build_comparison_sarif(compared()))["runs"]
    kinds = [(each["ruleId"], each["kind"], each["level"]) for each in run["results"]]
    assert kinds == [("compare/words", "fail", "error"), ("compare/limit", "fail", "error")]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {"compare/keywords", "compare/membership", "compare/names"} <= rules
    assert {"value", "low", "high", "n"} == set(run["results"][0]["properties"])


def test_junit_has_the_time_of_the_comparison():
    root = ET.fromstring(build_comparison_junit(compared(), 12.5))
    times = {case.get("name"): case.get("time") for case in root.iter("testcase")}
    assert times["compare"] == "12.500"
    assert times["words"] == "0.000"
    assert root.get("time") == "12.500"


def test_only_conditions_fail_in_junit():
    root = ET.fromstring(build_comparison_junit(compared()))
    outcomes = {case.get("name"): [part.tag for part in case] for case in root.iter("testcase")}
    assert outcomes["words"] == ["system-out"]
    assert outcomes["names"] == ["skipped"]
    assert outcomes["worse"] == ["failure"]
    assert outcomes["words>+0.10"] == ["system-out"]
