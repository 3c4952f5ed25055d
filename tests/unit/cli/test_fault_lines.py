"""Errors that a command finds later still name the line of vestige.toml."""

import pytest

from tests.unit.cli.conftest import TEXTS

HEAD = "[audit.letters]\ntexts = 'letters.csv'\n"


@pytest.fixture
def report(tmp_path, monkeypatch, vestige_command):
    """What a command prints over a file of settings, next to 60 letters."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letters.csv").write_text("\n".join(["body,topic", *(f"{text},a" for text in TEXTS)]))

    def call(content, *command):
        (tmp_path / "vestige.toml").write_text(content)
        ran = vestige_command(*command)
        assert ran.code == 2
        return " ".join(ran.err.split())

    return call


@pytest.mark.parametrize(
    ("more", "line", "fault"),
    [
        ("text-column = 'nope'\n", 3, "has no column 'nope'"),
        ("shortest = 50\nlongest = 10\n", 4, "The 'longest' parameter must be at least 50"),
        ("memory = 'lots'\n", 3, "'lots' is not a size"),
        ("budgets = '10,x'\n", 3, "is not a list of numbers"),
        ("within = -3.0\n", 3, "The 'within' parameter must be from"),
    ],
)
def test_an_error_over_a_value_has_its_line(report, more, line, fault):
    said = report(f"{HEAD}{more}encoder = 'minilm'\n", "audit", "letters")
    assert f"vestige.toml:{line}: " in said
    assert fault in said


def test_a_missing_option_of_a_named_run_has_the_line_of_its_table(report):
    assert "vestige.toml:2: texts alone cannot be audited" in report(f"[audit]\n{HEAD}", "audit", "letters")


def test_an_error_over_a_flag_blames_no_line(report):
    said = report(f"{HEAD}encoder = 'minilm'\ntext-column = 'body'\n", "audit", "letters", "--text-column", "nope")
    assert "has no column 'nope'" in said
    assert "vestige.toml:" not in said
    said = report("[audit]\nseed = 1\n", "audit", "--texts", "letters.csv")
    assert "texts alone cannot be audited" in said
    assert "vestige.toml:" not in said
