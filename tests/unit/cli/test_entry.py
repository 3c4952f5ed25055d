"""The entry point of the command."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from vestige.cli import entry

PRINT = "import os, sys; from vestige.cli.entry import main; sys.argv = ['vestige', '--version']; main()"


def run_python(code, **environment):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


@pytest.fixture(autouse=True)
def same_signals():
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


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


def test_threads_that_encode_need_not_wait_long_for_threads_that_compute_in_python():
    print_interval = "import sys; from vestige.cli import main; main.main = lambda: print(sys.getswitchinterval())"
    done = run_python(f"{print_interval}; from vestige.cli.entry import main; main()")
    assert float(done.stdout) == pytest.approx(entry.SWITCH_S)


def test_the_module_loads_no_library():
    code = "import sys, vestige.cli.entry; print([n for n in ('numpy', 'torch', 'scipy', 'typer') if n in sys.modules])"
    assert run_python(code).stdout.strip() == "[]"


def test_it_runs_the_command():
    assert run_python(PRINT).stdout.startswith("vestige ")


SLOW_IMPORT = """
import os, signal, sys
class Slow:
    def find_spec(self, name, *_):
        if name == "vestige.cli.main":
            os.kill(os.getpid(), int(sys.argv[1]))
sys.meta_path.insert(0, Slow())
from vestige.cli.entry import main
main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_libraries_load_ends_it_without_a_traceback(number, code):
    command = [sys.executable, "-c", SLOW_IMPORT, str(int(number))]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", "")


def test_what_the_output_cannot_encode_is_escaped_as_in_json():
    print_text = "from vestige.cli import main; main.main = lambda: print(json.dumps('é 東 🙂', ensure_ascii=False))"
    done = run_python(
        f"import json; {print_text}; from vestige.cli.entry import main; main()", PYTHONIOENCODING="ascii"
    )
    assert done.stdout.isascii()
    assert json.loads(done.stdout) == "é 東 🙂", done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_names_that_the_output_cannot_encode_are_shown(tmp_path, encoding):
    source = tmp_path / "東.npy"
    np.save(source, np.random.default_rng(0).normal(size=(60, 7)).astype(np.float32))
    call = f"import sys; sys.argv = ['vestige', 'check', {str(source)!r}]; from vestige.cli.entry import main; main()"
    done = run_python(call, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert "東.npy" in done.stdout or r"\u6771.npy" in done.stdout
