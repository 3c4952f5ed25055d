"""How results are printed on the terminal."""

import json
from pathlib import Path

import pytest

from tests.sample_preflight import preflighted
from tests.sample_result import typical
from vestige.cli.terminal import print_audit, print_preflight
from vestige.report.write import Reports

REPORTS = Reports(Path("report.html"), Path("report.json"), Path("report.md"))


@pytest.fixture
def lines(capsys):
    return lambda: capsys.readouterr().out.splitlines()


def test_an_audit_prints_the_verdict_the_measures_and_the_gates(lines):
    print_audit(typical(), REPORTS, as_json=False)
    printed = lines()
    assert printed[1] == typical().verdict.headline
    assert any(line.split()[:1] == ["leakage"] for line in printed)
    assert any("the attacker had 12,000 pairs" in line for line in printed)
    assert any(line.startswith("FAILED: words>0.30") for line in printed)
    assert printed[-1] == "report: report.html"


def test_json_is_alone_on_standard_output(capsys):
    print_audit(typical(), REPORTS, as_json=True)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["version"] == "0.1.0"
    assert printed.err == "report: report.html\n"


def test_a_preflight_prints_a_row_per_check_and_no_markup(lines):
    print_preflight(preflighted())
    printed = lines()
    levels = [line.split()[:2] for line in printed if line.split()[:1] in (["warning"], ["error"], ["note"], ["ok"])]
    assert levels == [["warning", "plaintext"], ["error", "finite"], ["note", "columns"], ["ok", "zeros"]]
    assert any("example: ••• •••" in line for line in printed)
