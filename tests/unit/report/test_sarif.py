import json
from dataclasses import replace
from hashlib import sha256

from jsonschema import Draft202012Validator

from tests.sample_preflight import preflighted
from tests.sample_result import HOSTILE, crowded, finding, result, typical
from vestige.audit.result import GateOutcome
from vestige.report.sarif import build_sarif

TEXT = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string"}},
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "format": "uri"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "semanticVersion": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {"id": {"type": "string"}, "shortDescription": TEXT},
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "properties": {"executionSuccessful": {"type": "boolean"}},
                            "additionalProperties": False,
                        },
                    },
                    "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
                },
            },
        },
    },
    "$defs": {
        "result": {
            "type": "object",
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": -1},
                "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": TEXT,
                "locations": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            "physicalLocation": {
                                "type": "object",
                                "required": ["artifactLocation"],
                                "additionalProperties": False,
                                "properties": {
                                    "artifactLocation": {
                                        "type": "object",
                                        "additionalProperties": False,
                                        "properties": {"uri": {"type": "string", "pattern": r"^[!#-;=?-\[\]_a-z~%]+$"}},
                                    }
                                },
                            }
                        },
                    },
                },
                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
                "properties": {"type": "object"},
            },
        }
    },
}
"""The OASIS schema of SARIF 2.1.0, reduced to the parts that Vestige writes."""


def read(given):
    plain = json.loads(build_sarif(given))
    assert list(Draft202012Validator(SCHEMA).iter_errors(plain)) == []
    (run,) = plain["runs"]
    rules = run["tool"]["driver"]["rules"]
    for each in run["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]
        assert each["level"] == "none" or each["kind"] == "fail", "as section 3.27.10 of the standard requires"
    return run["results"]


def test_only_what_failed_is_a_result_and_everything_is_a_rule():
    given = replace(typical(), preflight=preflighted())
    results = [(each["ruleId"], each["kind"], each["level"]) for each in read(given)]
    assert results == [
        ("preflight/plaintext", "fail", "warning"),
        ("preflight/finite", "fail", "error"),
        ("preflight/columns", "fail", "note"),
        ("audit/words", "fail", "error"),
        ("audit/limit", "fail", "error"),
    ]
    rules = {rule["id"] for rule in json.loads(build_sarif(given))["runs"][0]["tool"]["driver"]["rules"]}
    assert {"preflight/zeros", "audit/words-cross-domain"} <= rules


def test_an_audit_in_which_nothing_failed_has_no_result():
    held = GateOutcome("words>0.9", True, "leakage of 'words' is 0.0")
    assert read(replace(result(finding(leakage=0.0)), gates=(held,))) == []


def test_an_audit_that_was_stopped_was_not_successful():
    for pending in ((), ("names",)):
        (run,) = json.loads(build_sarif(replace(typical(), pending=pending)))["runs"]
        assert run["invocations"] == [{"executionSuccessful": not pending}]


def test_one_result_word_for_word():
    assert read(result(finding(leakage=0.2)))[0] == {
        "ruleId": "audit/words",
        "ruleIndex": 0,
        "kind": "fail",
        "level": "warning",
        "message": {
            "text": "A stranger who has similar text reads 58 of every 100 meaningful words of a text from its vector."
        },
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "letters"}}}],
        "partialFingerprints": {"vestige/v1": sha256(b"audit/words\nletters\n").hexdigest()[:32]},
        "properties": {"value": 0.2, "low": 0.188, "high": 0.212, "n": 1000},
    }


def test_levels_of_findings():
    levels = {leakage: read(result(finding(leakage=leakage)))[0]["level"] for leakage in (0.4, 0.2, 0.05)}
    assert levels == {0.4: "error", 0.2: "warning", 0.05: "note"}
    assert read(result(replace(finding(), warnings=("The control scores above guessing.",)))) == []


def test_foreign_names_stay_text_and_the_location_a_uri():
    results = read(replace(crowded(), gates=(GateOutcome(HOSTILE, False, HOSTILE),)))
    assert "<" not in results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    braces = replace(typical(), gates=(GateOutcome("words>0.1", False, "{0} and [a](b)"),))
    assert "{{0}} and \\[a\\](b)" in read(braces)[1]["message"]["text"]
    assert HOSTILE in results[0]["message"]["text"]


def test_an_issue_is_the_same_from_run_to_run_whatever_its_figures():
    first, second = read(result(finding(leakage=0.41))), read(result(finding(leakage=0.42)))
    assert first[0]["partialFingerprints"] == second[0]["partialFingerprints"]
    assert build_sarif(typical()) == build_sarif(typical())
    every = [each["partialFingerprints"]["vestige/v1"] for each in read(replace(typical(), preflight=preflighted()))]
    assert len(set(every)) == len(every)
