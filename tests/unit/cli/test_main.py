"""The command `vestige` itself: version, help pages, and light imports."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

import vestige
from vestige.cli.command_keys import NOT_CONFIGURED
from vestige.cli.main import PANELS, _explain, app

NAMES = [name for commands in PANELS.values() for name in commands] + ["canaries plant", "canaries score"]


@pytest.fixture
def read_help(vestige_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def read(*command):
        ran = vestige_command(*command, "--help")
        assert ran.code == 0
        return ran.out

    return read


def test_version(vestige_command):
    assert vestige_command("--version").out.strip() == f"vestige {vestige.__version__}"


def test_no_arguments_give_help(vestige_command):
    assert "audit" in vestige_command().out


def test_the_help_of_an_audit_has_panels_with_the_common_options_first(read_help):
    page = read_help("audit")
    panels = re.findall(r"^╭─ (.+?) ─", page, re.M)
    assert panels == [
        *("Arguments", "Common options", "Input", "Adversary", "Probes", "Output", "Sizes"),
        *("Columns, detected if not given", "Engine"),
    ]
    common = page[page.index("Common options") : page.index("─ Input ─")]
    own = ["--texts", "--encoder", "--probe", "--fail-on", "--out", "--preset"]
    options = [*own, "--config", "--memory", "--quiet", "--verbose", "--source"]
    assert re.findall(r"^│ (--[a-z-]+)", common, re.M) == [*options, "--help"]
    assert len(page.splitlines()) <= 160


def test_defend_has_the_same_panels(read_help):
    audit, defend = (re.findall(r"^╭─ (.+?) ─", read_help(command), re.M) for command in ("audit", "defend"))
    assert defend == audit


@pytest.mark.parametrize("command", ["", "canaries", *NAMES])
def test_every_page_fits_into_80_columns_and_explains_the_command(read_help, command):
    page = read_help(*command.split())
    assert max(map(len, page.splitlines())) <= 80
    assert "…" not in page
    assert "<bool>" not in page  # A flag takes no value.
    assert re.search(r"^ [A-Z].{20,}", page.partition("Usage")[2], re.M)


@pytest.mark.parametrize("command", [name for name in NAMES if name not in NOT_CONFIGURED])
def test_every_command_that_reads_a_file_has_the_options_that_all_have(read_help, command):
    page = read_help(*command.split())
    assert all(f"--{name} " in page for name in ("config", "memory", "quiet", "verbose", "help"))


@pytest.mark.parametrize("command", NAMES)
def test_every_option_has_a_sentence_of_help(command):
    found = get_command(app)
    for name in command.split():
        found = found.commands[name]
    assert all(option.help.endswith(".") for option in found.params)


def print_in_new_process(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_help_imports_no_heavy_library():
    heavy = "[m for m in ('torch', 'transformers', 'sklearn', 'pyarrow') if m in sys.modules]"
    assert print_in_new_process(f"import sys, vestige.cli.main; print({heavy})") == "[]\n"


def run_script(*arguments, **options):
    command = [sys.executable, "-c", "from vestige.cli.entry import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=not options, text=True, check=False, **options)


HOSTILE = "col\x1b]0;owned\x07umn"


def test_a_hostile_name_reaches_neither_the_terminal_nor_the_report(tmp_path, vestige_command):
    path = tmp_path / "texts.csv"
    path.write_text(f"text,{HOSTILE}\n" + "".join(f"some text {row},x\n" for row in range(3)), encoding="utf-8")
    for ran in (
        vestige_command("encode", path, "--encoder", "hashing:64", "--out", tmp_path / "out.parquet"),
        vestige_command("encode", path, "--encoder", "hashing:64", "--text-column", "\x1b[2J"),
        vestige_command("check", f"{path}\x1b[2J"),
        vestige_command("check", path, "--sample", "\x1b[2J"),
        vestige_command("\x1b[2J"),
    ):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", ran.out + ran.err)


def test_a_file_name_that_is_not_utf8_gives_a_message(tmp_path, vestige_command):
    ran = vestige_command("check", f"{tmp_path}/caf\udce9.npy")
    assert ran.code == 2
    assert "caf\\udce9.npy does not exist" in ran.err


def test_a_gate_is_not_confused_with_a_closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    assert run_script("completion", "bash", stdout=writer, stderr=subprocess.PIPE).returncode == 141
    assert run_script("--help", stdout=writer, stderr=subprocess.PIPE).returncode == 141
    os.close(writer)


def test_output_that_cannot_be_written_has_a_code_of_its_own():
    with Path("/dev/full").open("w") as full:
        assert run_script("completion", "ksh", stdout=full, stderr=full).returncode == 2
        assert run_script("completion", "bash", stdout=full, stderr=full).returncode == 74


def test_closed_descriptors_do_not_matter(tmp_path):
    script = f"exec >&- 2>&- <&-; exec {sys.executable} -c 'from vestige.cli.entry import main; main()' \"$@\""
    codes = [
        subprocess.run(["bash", "-c", script, "sh", *arguments], check=False, cwd=tmp_path).returncode
        for arguments in (["completion", "bash"], ["completion", "ksh"])
    ]
    assert codes == [0, 2]
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_an_error_of_the_input(vestige_command, monkeypatch):
    def fill(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr("vestige.text.corpora.load_corpus", fill)
    ran = vestige_command("check", "vectors.npy", "--texts", "texts.txt", "--memory", "4GB")
    assert ran.code == 2
    assert "needs more memory than the limit of 4.0 GB" in ran.err
    assert "Traceback" not in ran.err


def test_an_error_of_an_open_descriptor_has_no_name():
    assert _explain(OSError(28, "No space left on device", 5)).startswith("a file cannot be used (No space")
