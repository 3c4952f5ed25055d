import json
from dataclasses import replace
from hashlib import sha256

from jsonschema import Draft202012Validator

from tests.sample_preflight import preflighted
from tests.sample_result import CROSS_DOMAIN, HOSTILE, crowded, finding, result, typical
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


def test_every_part_of_an_audit_is_a_result():
    results = [
        (each["ruleId"], each["kind"], each["level"]) for each in read(replace(typical(), preflight=preflighted()))
    ]
    assert results == [
        ("preflight/plaintext", "fail", "warning"),
        ("preflight/finite", "fail", "error"),
        ("preflight/columns", "fail", "note"),
        ("preflight/zeros", "pass", "none"),
        ("audit/words", "fail", "error"),
        ("audit/words-cross-domain", "notApplicable", "none"),
        ("audit/limit", "fail", "error"),
        ("audit/limit", "pass", "none"),
    ]


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
    levels = {leakage: read(result(finding(leakage=leakage)))[0]["level"] for leakage in (0.4, 0.2, 0.05, 0.0)}
    assert levels == {0.4: "error", 0.2: "warning", 0.05: "note", 0.0: "none"}
    doubted = read(result(replace(finding(), warnings=("The control scores above guessing.",))))[0]
    assert (doubted["kind"], doubted["message"]["text"]) == ("open", "The control scores above guessing.")


def test_foreign_names_stay_text_and_the_location_a_uri():
    results = read(crowded())
    assert "<" not in results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    braces = replace(typical(), not_run=(replace(CROSS_DOMAIN, reason="{0} and [a](b)"),))
    assert "{{0}} and \\[a\\](b)" in read(braces)[1]["message"]["text"]
    assert HOSTILE in results[0]["message"]["text"]


def test_an_issue_is_the_same_from_run_to_run_whatever_its_figures():
    first, second = read(result(finding(leakage=0.41))), read(result(finding(leakage=0.42)))
    assert first[0]["partialFingerprints"] == second[0]["partialFingerprints"]
    assert build_sarif(typical()) == build_sarif(typical())
    every = [each["partialFingerprints"]["vestige/v1"] for each in read(replace(typical(), preflight=preflighted()))]
    assert len(set(every)) == len(every)
