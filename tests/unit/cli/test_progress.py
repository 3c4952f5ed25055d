"""Progress bars and lines, and the message on Ctrl-C and on SIGTERM."""

import os
import pty
import re
import signal
import subprocess
import sys
import threading

import pytest
import typer

from vestige.cli import progress_lines
from vestige.cli.progress import progress_bars, report_interrupt
from vestige.cli.verbosity import use_verbosity
from vestige.types import silent

SCRIPT = """
from vestige.cli.progress import progress_bars
with progress_bars() as progress:
    advance = progress("encoding [b]the targets", 4)
    for _ in range(4):
        advance(1)
"""


def test_nothing_is_shown_if_quiet():
    with use_verbosity(quiet=True, verbose=False), progress_bars() as progress:
        assert progress is silent


def test_a_log_gets_lines(capsys, monkeypatch):
    monkeypatch.setattr(progress_lines, "SHORTEST_S", 0.0)
    with progress_bars() as progress:
        progress("encoding the targets", 4)(4)
    assert "encoding the targets: done in " in capsys.readouterr().err


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
    assert "encoding [b]the targets" in shown
    assert "4/4" in shown
    assert "0:00:00" in shown


def test_ctrl_c_prints_the_message_and_sets_the_exit_code(capsys):
    with pytest.raises(typer.Exit) as ended, report_interrupt("stopped; nothing was saved"):
        raise KeyboardInterrupt
    assert ended.value.exit_code == 130
    assert capsys.readouterr().err == "stopped; nothing was saved\n"


def test_sigterm_prints_the_message_and_sets_its_own_exit_code(capsys):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(typer.Exit) as ended, report_interrupt("stopped"):
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.exit_code == 143
    assert capsys.readouterr().err == "stopped\n"
    assert signal.getsignal(signal.SIGTERM) is before


def test_another_thread_leaves_the_handler_alone():
    before, seen = signal.getsignal(signal.SIGTERM), []

    def work():
        with report_interrupt():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_a_line_is_printed_above_the_bars_and_stays():
    ours, theirs = pty.openpty()
    script = SCRIPT.replace("        advance(1)", "        advance(1)\n        print_above_bars('words: leakage 0.60')")
    script = script.replace("import progress_bars", "import print_above_bars, progress_bars")
    subprocess.run([sys.executable, "-c", script], stderr=theirs, check=True, env={**os.environ, "COLUMNS": "100"})
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    # The bar is erased first, and drawn again below the line.
    assert len(re.findall(r"\x1b\[2K(?:\x1b\[\d*A\x1b\[2K)*words: leakage 0\.60 *\r\n", shown)) == 4
