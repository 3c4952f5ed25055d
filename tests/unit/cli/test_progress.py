"""Progress bars, and the message on Ctrl-C."""

import os
import pty
import subprocess
import sys

import pytest
import typer

from vestige.cli.progress import progress_bars, report_interrupt
from vestige.types import silent

SCRIPT = """
from vestige.cli.progress import progress_bars
with progress_bars() as progress:
    advance = progress("encoding the targets", 4)
    for _ in range(4):
        advance(1)
"""


def test_nothing_is_shown_without_a_terminal():
    with progress_bars() as progress:
        assert progress is silent


def test_a_full_fleeting_bar_disappears():
    ours, theirs = pty.openpty()
    fleeting = SCRIPT.replace("progress_bars()", "progress_bars(fleeting=True)")
    subprocess.run([sys.executable, "-c", fleeting], stderr=theirs, check=True, env={**os.environ, "COLUMNS": "100"})
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "4/4" not in shown


def test_a_terminal_shows_the_task_its_count_and_an_estimate():
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", SCRIPT], stderr=theirs, check=True, env={**os.environ, "COLUMNS": "100"})
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "encoding the targets" in shown
    assert "4/4" in shown
    assert "0:00:00" in shown


def test_ctrl_c_prints_the_message_and_sets_the_exit_code(capsys):
    with pytest.raises(typer.Exit) as ended, report_interrupt("stopped; nothing was saved"):
        raise KeyboardInterrupt
    assert ended.value.exit_code == 130
    assert capsys.readouterr().err == "stopped; nothing was saved\n"
