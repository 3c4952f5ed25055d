"""How sweeps of defenses are printed on the terminal."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sample_frontier import swept
from vestige.cli.terminal_defenses import print_frontier
from vestige.defend.recommend import ELSEWHERE
from vestige.defend.record import Recommendation
from vestige.report.write import Reports

REPORTS = Reports(Path("report.html"), Path("report.json"), Path("report.md"))


@pytest.fixture
def lines(capsys):
    return lambda: capsys.readouterr().out.splitlines()


def test_a_sweep_prints_adaptive_and_naive_leakage_of_the_defenses_that_were_not_dropped(lines):
    print_frontier(swept(), REPORTS, Path("defense"), as_json=False)
    printed = lines()
    assert printed[1] == swept().headline
    rotation = next(line.split() for line in printed if "rotation" in line)
    assert rotation[:5] == ["rotation", "0.600", "/", "-0.020", "1.000"]
    assert [line.split()[0] for line in printed if "only obscurity" in line] == ["rotation"]
    assert not any("pca:16" in line for line in printed)
    assert any(line.startswith("1 more were dropped") for line in printed)
    assert any(line.startswith("not tried: leace: ") for line in printed)
    secret = "keep it secret: it holds the seed of its noise"
    assert printed[-2] == f"defense: defense ({secret}; `vestige protect` applies it)"


def test_a_chosen_defense_without_a_secret_is_not_called_secret(lines):
    print_frontier(swept(chosen="leace@product"), REPORTS, Path("defense"), as_json=False)
    assert lines()[-2] == "defense: defense (it holds no secret; `vestige protect` applies it)"


def test_recommendations_are_grouped_by_need_and_what_helps_elsewhere_is_printed_once(lines):
    def advise(need, adversary, advice, *commands):
        return Recommendation(need, adversary, "", None, None, None, None, "", advice, commands)

    advice = (
        advise("all words", "an insider", f"At that utility, int8 leaks least: 0.500. {ELSEWHERE}"),
        advise("all words", "a thief", "A key may help.", "vestige defend --thief"),
        advise("names", "an insider", f"Nothing has that utility. {ELSEWHERE}"),
    )
    print_frontier(replace(swept(), recommendations=advice), REPORTS, None, as_json=False)
    printed = lines()
    start = printed.index("To hide all words")
    assert printed[start:-1] == [
        "To hide all words",
        f"- from an insider: At that utility, int8 leaks least: 0.500. {ELSEWHERE}",
        "- from a thief: A key may help.",
        "    vestige defend --thief",
        "",
        "To hide names",
        "- from an insider: Nothing has that utility. What helps instead: see above.",
        "",
    ]


def test_json_is_alone_on_standard_output(capsys):
    print_frontier(swept(), REPORTS, None, as_json=True)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["version"] == "0.1.0"
    assert printed.err == "report: report.html\n"
