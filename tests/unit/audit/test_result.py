"""The record of an audit in a Python session."""

import sys
from dataclasses import replace

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.sample_result import HOSTILE, crowded, typical
from vestige.audit.run import audit
from vestige.case.settings import Settings
from vestige.errors import MissingExtra
from vestige.report.read import read_result
from vestige.report.write import write_report


def test_findings_are_found_by_name():
    result = typical()
    assert result["words"] is result.findings[0]
    assert "words" in result
    assert "words-cross-domain" not in result
    assert list(result) == list(result.findings)


@pytest.mark.parametrize(
    ("probe", "message"),
    [
        ("wrods", "'wrods' is no probe; there are: 'words'"),
        ("words-cross-domain", "did not run: no cross-domain text was given; name a corpus"),
        ("budget", "has not run yet: the audit was stopped"),
    ],
)
def test_a_missing_finding_is_explained(probe, message):
    with pytest.raises(KeyError) as refused:
        replace(typical(), pending=("budget",))[probe]
    assert message in str(refused.value)


def test_a_probe_that_was_not_chosen_is_no_probe_that_failed():
    chosen = replace(typical(), settings=replace(typical().settings, probes=("words",)))
    with pytest.raises(KeyError, match="'names' is not among the probes that were chosen"):
        chosen["names"]


def test_the_repr_of_a_finding_is_a_line():
    assert repr(typical()["words"]).startswith("Finding: words: severe, leakage 0.457 (0.445 to 0.469); ")


def test_the_repr_is_short():
    assert repr(replace(typical(), pending=("budget",))).splitlines() == [
        "AuditResult: Whoever holds these vectors can read much of the text.",
        "  words: severe, leakage 0.457 (0.445 to 0.469)",
        "  not run: words-cross-domain",
        "  pending: budget",
        "  FAILED: words>0.30: leakage of 'words' is 0.457 (95% interval 0.445 to 0.469)",
        "  held: words.recall>0.9: recall of 'words' is 0.585 (95% interval 0.573 to 0.597)",
    ]


def test_the_html_is_escaped():
    hostile = replace(crowded().findings[0], probe=HOSTILE)
    html = replace(crowded(), findings=(hostile,), pending=(HOSTILE,))._repr_html_()
    assert HOSTILE not in html
    assert html.count("&lt;script&gt;") == 2
    assert "0.457 (0.445 to 0.469)" in typical()._repr_html_()


def test_a_frame_has_a_row_per_measure():
    frame = typical().to_frame()
    assert list(frame["measure"]) == ["f1", "precision", "recall"]
    assert frame.loc[0, "leakage"] == 0.457
    assert frame["leakage"].isna().tolist() == [False, True, True]
    assert {"probe", "attack", "low", "high", "prior", "control", "n"} <= set(frame.columns)


def test_a_frame_needs_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="pandas is not installed"):
        typical().to_frame()


def test_what_is_read_back_equals_what_an_audit_returned(tmp_path):
    probes = ["membership", "keywords"]
    settings = Settings(targets=60, pairs=300, shortest=4, vocabulary_size=100, probes=probes)
    result = audit(texts=toy_corpus(200), encoder=WordSum(), settings=settings, fail_on=["keywords>0.1"])
    assert result.findings
    assert result.not_run
    assert result.gates
    write_report(result, tmp_path)
    assert read_result(tmp_path / "report.json") == result
    assert read_result(tmp_path) == result


def test_numbers_are_those_that_are_written():
    score = replace(typical().findings[0].leakage, value=1 / 3)
    finding = replace(typical().findings[0], leakage=score)
    assert replace(typical(), findings=(finding,))["words"].leakage.value == 0.333333
