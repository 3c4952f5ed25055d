"""How results are printed on the terminal."""

import json
from pathlib import Path

import pytest

from tests.sample_frontier import swept
from tests.sample_preflight import preflighted
from tests.sample_result import typical
from tests.unit.papers.sample import sample
from vestige.cli.terminal import print_audit, print_frontier, print_preflight, print_reproduction
from vestige.papers.page import write_reproduction
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


def test_a_sweep_prints_adaptive_and_naive_leakage_of_the_defenses_that_were_not_dropped(lines):
    print_frontier(swept(), REPORTS, Path("defense"), as_json=False)
    printed = lines()
    assert printed[1] == swept().headline
    rotation = next(line.split() for line in printed if "rotation" in line)
    assert rotation[:5] == ["rotation", "0.600", "/", "-0.020", "1.000"]
    assert not any("pca:16" in line for line in printed)
    assert any(line.startswith("1 more were dropped") for line in printed)
    assert any(line.startswith("not tried: leace: ") for line in printed)
    secret = "keep it secret: it holds the seed of its noise"
    assert printed[-2] == f"defense: defense ({secret}; `vestige protect` applies it)"


def test_a_chosen_defense_without_a_secret_is_not_called_secret(lines):
    print_frontier(swept(chosen="leace@product"), REPORTS, Path("defense"), as_json=False)
    assert lines()[-2] == "defense: defense (it holds no secret; `vestige protect` applies it)"


@pytest.mark.parametrize(("show", "record"), [(print_audit, typical()), (print_frontier, swept())])
def test_json_is_alone_on_standard_output(capsys, show, record):
    show(record, REPORTS, *([None] if show is print_frontier else []), as_json=True)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["version"] == "0.1.0"
    assert printed.err == "report: report.html\n"


def test_a_preflight_prints_a_row_per_check_and_no_markup(lines):
    print_preflight(preflighted())
    printed = lines()
    levels = [line.split()[:2] for line in printed if line.split()[:1] in (["warning"], ["error"], ["note"], ["ok"])]
    assert levels == [["warning", "plaintext"], ["error", "finite"], ["note", "columns"], ["ok", "zeros"]]
    assert any("example: ••• •••" in line for line in printed)


def test_a_reproduction_prints_the_table_what_differs_and_the_page(tmp_path, capsys):
    print_reproduction(sample(), write_reproduction(sample(), tmp_path), as_json=False)
    printed = capsys.readouterr().out
    assert "dual:lstm   the paper's recipe  100  not converged: undecided  50.0 (45-55)  -" in printed
    assert "Equation 7, ALBERT: skipped: not here | nor there" in printed
    assert "Equation 7, LSTM:\n- A <text> - some, words\nWhat differs from the paper:" in printed
    assert "What differs from the paper:\n- The texts are others." in printed
    assert printed.splitlines()[-1] == f"page: {tmp_path / 'song2020-table1.html'}"
