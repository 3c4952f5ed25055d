"""The entry point of the command."""

import os
import subprocess
import sys

import pytest

from vestige.cli import entry

PRINT = "import os, sys; from vestige.cli.entry import main; sys.argv = ['vestige', '--version']; main()"


def run_python(code, **environment):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def test_threads_wait_without_spinning_unless_the_user_says_otherwise(monkeypatch):
    monkeypatch.setattr("vestige.cli.main.main", lambda: None)
    for name in entry.WAITING:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    entry.main()
    found = {name: os.environ[name] for name in entry.WAITING}
    for name in entry.WAITING:
        monkeypatch.delenv(name)
    assert found == {**entry.WAITING, "OMP_WAIT_POLICY": "ACTIVE"}


def test_the_module_loads_no_library():
    code = "import sys, vestige.cli.entry; print([n for n in ('numpy', 'torch', 'scipy', 'typer') if n in sys.modules])"
    assert run_python(code).stdout.strip() == "[]"


def test_it_runs_the_command():
    assert run_python(PRINT).stdout.startswith("vestige ")


def test_an_interrupt_ends_it_without_a_traceback(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("vestige.cli.main.main", interrupted)
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert ended.value.code == 130
