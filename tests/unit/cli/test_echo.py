"""All printing goes through one function, which lets no control character through."""

import re
from pathlib import Path

import pytest

import vestige.cli
from vestige.cli.echo import echo, echo_wrapped


def test_a_terminal_sequence_is_shown_and_not_sent(capsys):
    echo("file \x1b]0;owned\x07\nsecond line")
    echo("\x9b2J", err=True)
    written = capsys.readouterr()
    assert written.out == "file \\x1b]0;owned\\x07\nsecond line\n"
    assert written.err == "\\x9b2J\n"


def test_no_command_prints_in_another_manner():
    folder = Path(vestige.cli.__file__).parent
    others = [
        path.name
        for path in folder.glob("*.py")
        if path.name != "echo.py" and re.search(r"typer\.echo\(|click\.echo\(|typer\.secho\(", path.read_text())
    ]
    assert others == []


@pytest.mark.parametrize(("terminal", "lines"), [(True, 3), (False, 2)])
def test_sentences_break_between_words_on_a_terminal_only(capsys, monkeypatch, terminal, lines):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    echo_wrapped("error: vestige.toml names no such audit\nsecond line", err=True)
    written = capsys.readouterr().err.splitlines()
    assert len(written) == lines
    assert " ".join(written) == "error: vestige.toml names no such audit second line"
