"""A terminal is replayed as a person sees it, and the page shows the record."""

import sys
from dataclasses import replace

import record_session
from record_session import Session, render_session, replay

from vestige.case.codec import dumps
from vestige.papers.provenance import describe_environment

SESSION = Session(1, "vestige audit", describe_environment(), ("a bar", "words: 0.4"), 12.3, ("stage: encode",), 14.0)


def test_a_line_that_redraws_itself_is_shown_once():
    assert replay("encode 10%\rencode 99%\r\nwords\r\n") == ["encode 99%", "words"]
    assert replay("long line\rx") == ["xong line"]


def test_moves_up_and_cleared_lines_are_followed():
    assert replay("one\r\ntwo\r\n\x1b[2A\x1b[2Knew\r\n\x1b[2Kmore\x1b[?25h") == ["new", "more"]
    assert replay("\x1b[1;31mred\x1b[0m and more\r\n\n") == ["red and more"]


def test_the_command_runs_in_a_terminal_of_80_columns(tmp_path, monkeypatch):
    code = "import os, sys; print(sys.stdout.isatty(), os.get_terminal_size().columns)"
    monkeypatch.setattr(record_session, "PROGRAM", (sys.executable, "-c", code))
    assert replay("".join(record_session._run_in_terminal(tmp_path))) == ["True 80"]
    monkeypatch.setattr(record_session, "PROGRAM", (sys.executable, "-c", "import sys; print(sys.stdout.isatty())"))
    assert record_session._run_into_file(tmp_path) == ["False"]


def test_the_page_shows_both_records(tmp_path):
    assert "Not recorded yet" in render_session("log", tmp_path)
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "session.json").write_text(dumps(replace(SESSION)), encoding="utf-8")
    terminal, log = (render_session(part, tmp_path) for part in ("terminal", "log"))
    assert terminal.startswith("```text\na bar\nwords: 0.4\n```\n\n`vestige audit`, 12 s on ")
    assert log.startswith("```text\nstage: encode\n```\n\n`vestige audit`, 14 s on ")
